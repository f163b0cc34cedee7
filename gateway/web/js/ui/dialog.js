// Questions that have to be answered before anything else goes on.

import { button } from "./button.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {{value: string, label: string, kind?: "primary" | "danger" | "quiet"}} Choice
 * @param {{title: string, text?: string | Node | (string | Node)[], choices: Choice[], cancel?: string | null}} question
 * @returns {Promise<string | null>} the value chosen, null when it was closed
 */
export function ask({ title, text, choices, cancel = t("dialog.cancel") }) {
  return new Promise((resolve) => {
    /** @param {string | null} value */
    const close = (value) => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const buttons = choices.map((it) =>
      h(
        "button",
        { type: "button", class: `button ${it.kind ?? "plain"}`, onclick: () => close(it.value) },
        it.label,
      ),
    );
    const dialog = h(
      "dialog",
      { class: "dialog", "aria-labelledby": "dialog-title", oncancel: () => close(null) },
      h("h2", { id: "dialog-title" }, title),
      text ? h("div", { class: "dialog-text" }, text) : null,
      h(
        "div",
        { class: "dialog-choices" },
        buttons,
        cancel ? button(cancel, () => close(null), "quiet") : null,
      ),
    );
    document.body.append(dialog);
    window.addEventListener("popstate", () => close(null), { once: true });
    dialog.showModal();
  });
}
