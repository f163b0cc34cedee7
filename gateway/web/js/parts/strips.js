// What a table has to say besides the game: the connection, entries not checked yet, refusals, questions.

import { actionName } from "../table/words.js";
import { button, h, t } from "../ui/screen.js";

/** @param {import("../table/table.js").Table} table */
export function strips(table) {
  const { refused, conflict, overtaken } = table.journal;
  const all = [
    table.connection === "ended" ? strip("warning", table.ended) : null,
    table.stuck ? stuckStrip(table) : waiting(table),
    overtaken ? overtakenStrip(table, overtaken) : null,
    conflict ? conflictStrip(table, conflict) : null,
    ...refused.map((it) => refusal(table, it)),
    ...table.last.warnings.map((it) => strip("warning", t(`warning.${it}`))),
  ].filter(Boolean);
  return all.length ? h("div.strips", { key: "strips" }, all) : null;
}

/** @param {string} kind @param {string} text @param {...any} more */
const strip = (kind, text, ...more) => h("div", { class: `strip ${kind}` }, h("p", text), ...more);

/** @param {string} text @param {() => void} onclick */
const small = (text, onclick) => button(text, onclick, "small");

/** @param {import("../table/table.js").Table} table */
function waiting(table) {
  const count = table.journal.pending.length; // those that are safe, which is later than those that are shown
  if (table.journal.overtaken || table.connection === "live") return null;
  if (count) return strip("waiting", t("offline.waiting", { n: count }));
  return table.connection === "away" ? strip("waiting", t("offline.nothing")) : null;
}

/** @param {import("../table/table.js").Table} table @param {{missed: number}} overtaken */
const overtakenStrip = (table, { missed }) => strip(
  "warning",
  t("overtaken.text", { n: missed }),
  h(
    "div.strip-choices",
    small(t("overtaken.anyway"), () => table.note({ anyway: true })),
    discard(table),
  ),
);

/** Entries that the gateway does not take for now. @param {import("../table/table.js").Table} table */
const stuckStrip = (table) => strip(
  "error",
  t("refused.text", { what: t("stuck.what", { n: table.journal.pending.length }), reason: table.stuck }),
  h("div.strip-choices", small(t("lost.again"), () => table.send()), discard(table)),
);

/** @param {import("../table/table.js").Table} table */
function discard(table) {
  const dismissed = table.journal.pending.map((it) => it.id);
  return small(t("overtaken.discard", { n: dismissed.length }), () => table.note({ dismissed }));
}

/** @param {import("../table/table.js").Table} table @param {string} id */
function conflictStrip(table, id) {
  return strip(
    "warning",
    t("conflict.opened"),
    h(
      "div.strip-choices",
      h("a.button.small", { href: `/conflicts/${id}?game=${table.id}` }, t("conflict.look")),
      small(t("strip.dismiss"), () => table.note({ dismissed: [id] })),
    ),
  );
}

/** @param {import("../table/table.js").Table} table @param {import("../offline/fold.js").Refused} refused */
function refusal(table, { action, reason }) {
  const what = actionName(action, action.type);
  return strip(
    "error",
    t("refused.text", { what: what[0].toUpperCase() + what.slice(1), reason: reason || t("refused.spoken") }),
    small(t("strip.dismiss"), () => table.note({ dismissed: [action.id] })),
  );
}
