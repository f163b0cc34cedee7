// What happens at the table, said to people who do not see it.

import { announce } from "../ui/announce.js";
import { actionName, instructionText, owedText, turnText } from "./words.js";
import { notice, t } from "../ui/screen.js";

/** @param {import("./table.js").Table} table */
export function spokenTable(table) {
  /** @type {string[]} */
  let before = [];
  table.addEventListener("change", () => {
    const now = standing(table);
    for (const it of now) if (!before.includes(it)) announce(it);
    before = now;
  });
  table.addEventListener("refused", (event) => {
    const { action, reason } = /** @type {CustomEvent} */ (event).detail;
    if (!action) return notice(reason, { isError: true });
    const what = actionName(action, action.type);
    announce(t("refused.text", { what, reason: reason || t("refused.spoken") }), { urgent: true });
  });
  table.addEventListener("accepted", (event) => {
    const { action, instructions } = /** @type {CustomEvent} */ (event).detail;
    const view = table.view();
    const told = (instructions ?? [])
      .filter((/** @type {any} */ it) => it.kind !== "result")
      .map((/** @type {any} */ it) => instructionText(table.game, it));
    const what = action.type === "undo" ? t("action.undo") : actionName(action, action.type);
    announce(
      [what, ...told, told.length ? "" : turnText(table.game, view), owedText(view)].filter(Boolean).join(". "),
    );
  });
}

/** What is so for a while and has to be known. @param {import("./table.js").Table} table */
const standing = ({ connection, ended, stuck, journal, last }) =>
  [
    ended,
    stuck,
    connection === "away" ? t("offline.nothing") : "",
    journal.overtaken ? t("overtaken.text", { n: journal.overtaken.missed }) : "",
    journal.conflict ? t("conflict.opened") : "",
    ...last.warnings.map((it) => t(`warning.${it}`)),
  ].filter(Boolean);
