// Choosing the language, each by its own name; everything changes at once.

import { h } from "../ui/dom.js";
import { LANGUAGES, speak, spoken, t } from "../ui/i18n.js";
import { prefer } from "../ui/preferences.js";

const NAMES = {
  en: "English",
  es: "Español",
  it: "Italiano",
  pt: "Português",
  fr: "Français",
  de: "Deutsch",
  sl: "Slovenščina",
};

/** @param {() => void} changed */
export function languagePicker(changed) {
  const onchange = async (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    prefer({ language: value });
    await speak(value);
    changed();
  };
  const options = LANGUAGES.map((it) => h("option", { value: it, lang: it, selected: it === spoken() }, NAMES[it]));
  return h(
    "div",
    { class: "field" },
    h("label", { for: "language" }, t("settings.language")),
    h("select", { id: "language", onchange }, options),
  );
}
