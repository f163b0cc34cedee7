// Choosing the language, each by its own name; everything changes at once.

import { changeMe } from "../api/people.js";
import { account } from "../api/session.js";
import { entitle } from "../router.js";
import { LANGUAGES, speak } from "../ui/i18n.js";
import { prefer } from "../ui/preferences.js";
import { h, spoken, t } from "../ui/screen.js";

const NAMES = {
  en: "English",
  es: "Español",
  it: "Italiano",
  pt: "Português",
  fr: "Français",
  de: "Deutsch",
  sl: "Slovenščina",
};

/** @param {() => Promise<void> | void} changed shows the screen anew */
export function languagePicker(changed) {
  const onchange = async (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    prefer({ language: value });
    await speak(value);
    await changed();
    entitle();
    if (account()) changeMe({ locale: value }).catch(() => {}); // here it is so in any case
  };
  const options = LANGUAGES.map((it) => h("option", { value: it, lang: it, selected: it === spoken() }, NAMES[it]));
  return h(
    "div.field",
    h("label", { for: "language" }, t("settings.language")),
    h("select", { id: "language", onchange }, options),
  );
}
