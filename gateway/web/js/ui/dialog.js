// Questions that have to be answered before anything else goes on.

import { closedByBack } from "./back.js";
import { button } from "./button.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {{value: string, label: string, kind?: "primary" | "danger" | "quiet"}} Choice
 * @param {{title: string, text?: string | Node | (string | Node)[], choices?: Choice[], cancel?: string}} question
 * @returns {Promise<string | null>} the value chosen, null when it was closed
 */
export function ask({ title, text, choices = [], cancel = t(choices.length ? "dialog.cancel" : "dialog.close") }) {
  return new Promise((resolve) => {
    /** @param {string | null} value */
    const close = (value) => {
      dialog.close();
      dialog.remove();
      closed();
      resolve(value);
    };
    const refuse = () => close(null);
    const dialog = h(
      "dialog.dialog",
      { "aria-labelledby": "dialog-title", oncancel: refuse },
      h("h2", { id: "dialog-title" }, title),
      text ? h("div.dialog-text", text) : null,
      h(
        "div.dialog-choices",
        choices.map((it) => button(it.label, () => close(it.value), it.kind)),
        button(cancel, refuse, "quiet"),
      ),
    );
    document.body.append(dialog);
    const closed = closedByBack(refuse);
    dialog.showModal();
  });
}

/**
 * Whether somebody says yes.
 * @param {string} title @param {string} text @param {string} yes @param {"danger" | "primary"} [kind]
 */
export const agreed = async (title, text, yes, kind = "danger") =>
  (await ask({ title, text, choices: [{ value: "yes", label: yes, kind }] })) !== null;
