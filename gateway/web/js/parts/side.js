// One side of a conflict: who told it, when, what they entered, and the table it leads to.

import { actionName } from "../table/words.js";
import { still } from "./still.js";
import { button, h, moment, t } from "../ui/screen.js";

/**
 * @param {any} conflict
 * @param {"cloud" | "device"} name
 * @param {any} game
 * @param {(() => void) | null} reopen
 */
export function side(conflict, name, game, reopen) {
  const { device, at, table, entries } = conflict[name];
  const about = [device, at ? moment(at) : ""].filter(Boolean).join(" · ");
  const actions = (entries ?? []).map(
    (/** @type {any} */ it) => ({ ...it.action, isRefused: it.outcome?.verdict === "rejected" }),
  );
  return h(
    "section.side",
    { key: name },
    h(
      "h2",
      t(`conflict.side.${name}`),
      conflict.newer === name ? h("small", ` ${t("conflict.newer")}`) : null,
    ),
    about ? h("p.hint", about) : null,
    table ? still(table, game.players) : null,
    h(
      "details.folded",
      h("summary", t("conflict.entries", { n: actions.length })),
      h(
        "ol.plain-list",
        actions.map(
          (/** @type {any} */ it) => h("li", { class: it.isRefused ? "refused" : "" }, actionName(it, it.type)),
        ),
      ),
    ),
    reopen ? button(t("conflict.reopen"), reopen, "small") : null,
  );
}
