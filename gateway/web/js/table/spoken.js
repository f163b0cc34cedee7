// What happens at the table, said to people who do not see it.

import { announce } from "../ui/announce.js";
import { t } from "../ui/i18n.js";
import { notice } from "../ui/notice.js";
import { actionName, instructionText, owedText, turnText } from "./words.js";

/** @param {import("./table.js").Table} table */
export function spokenTable(table) {
  table.addEventListener("refused", (event) => {
    const { action, reason } = /** @type {CustomEvent} */ (event).detail;
    if (!action) return notice(reason, { isError: true });
    const refused = table.journal.refused.find((it) => it.action.id === action?.id);
    announce(refused?.reason ?? reason ?? t("refused.spoken"), { urgent: true });
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
