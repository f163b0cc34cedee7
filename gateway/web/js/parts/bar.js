// Below the thumb: the one thing that comes next, and undo, which is always there.

import { next } from "../table/next.js";
import { actionName, instructionText } from "../table/words.js";
import { button, h, icon, t } from "../ui/screen.js";

/**
 * @param {import("../table/table.js").Table} table
 * @param {import("../table/projection.js").View} view
 * @param {{enter: (action: any) => void, block: () => void}} how
 */
export function bar(table, view, { enter, block }) {
  const { undo, redo } = view;
  // The second tap of a double one is for what was there at the first: it does nothing.
  const once = (/** @type {() => void} */ work) => (/** @type {any} */ event) => event.detail < 2 && work();
  const known = (/** @type {{target: string}} */ it) =>
    table.actions.get(it.target) ?? table.pending.find(({ id }) => id === it.target);
  const back = undo ? t("undo.what", { what: actionName(known(undo), undo.type) }) : t("undo.nothing");
  const again = redo ? t("redo.what", { what: actionName(known(redo), redo.type) }) : t("redo.nothing");
  return h(
    "footer.bar",
    { key: "bar" },
    primary(table, view, enter, block, once),
    h(
      "div.bar-back",
      button(
        [icon("undo"), h("span", back)],
        once(() => undo && enter({ type: "undo", target: undo.target })),
        "undo",
        { disabled: !undo },
      ),
      button(
        [icon("redo")],
        once(() => redo && enter({ type: "redo", target: redo.target })),
        "redo",
        { disabled: !redo, "aria-label": again, title: again },
      ),
    ),
  );
}

/** @param {any} table @param {any} view @param {(action: any) => void} enter @param {() => void} block @param {any} once */
function primary(table, view, enter, block, once) {
  const it = next(view, table.last.instructions);
  /** @param {string} text @param {() => void} onclick */
  const big = (text, onclick) => button(text, once(onclick), "primary next", { key: it.kind });
  switch (it.kind) {
    case "give_back":
      return big(instructionText(table.game, it.instruction), () => table.carryOut());
    case "draw":
      return big(
        it.count === null ? t("next.draw_unchecked") : t("next.draw", { n: it.count }),
        () => enter({ type: "draw" }),
      );
    case "end_turn":
      return big(t("next.end_turn"), () => enter({ type: "end_turn" }));
    case "confirm":
      return big(t("next.confirm", { n: view.table.remaining }), () => enter({ type: "confirm" }));
    case "over":
      return null;
    default:
      return h(
        "div.bar-owed",
        { key: "owed" },
        h("p", t("next.play")),
        button(t("next.block"), block, "quiet"),
      );
  }
}
