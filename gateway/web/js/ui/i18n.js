// Every text that people read, in their language; dates and numbers as that language writes them.

/** @typedef {string | Record<string, string>} Text */

export const LANGUAGES = /** @type {const} */ (["en", "es", "it", "pt", "fr", "de", "sl"]);
const LOCALES = { en: "en-GB", es: "es-ES", it: "it-IT", pt: "pt-PT", fr: "fr-FR", de: "de-DE", sl: "sl-SI" };

let language = "en";
/** @type {Record<string, Record<string, Text>>} */
let texts = {};

/** The language spoken now. */
export const spoken = () => language;

/** The best of our languages for this browser. @returns {string} */
export function preferred() {
  const wanted = navigator.languages.map((it) => it.slice(0, 2).toLowerCase());
  return wanted.find((it) => LANGUAGES.some((one) => one === it)) ?? "en";
}

/** Speak `wanted` from now on; English where its texts cannot be had. @param {string} wanted */
export async function speak(wanted) {
  try {
    texts = await load(wanted);
    language = wanted;
  } catch {
    if (Object.keys(texts).length) return;
    texts = await load("en");
    language = "en";
  }
  document.documentElement.lang = language;
}

/** @param {string} name */
async function load(name) {
  const answer = await fetch(new URL(`../../lang/${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts in ${name}`);
  return answer.json();
}

/**
 * The text `key`, a group and a name, with `values` in its places; `n` chooses between singular and plural.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const [group, name] = key.split(/\.(.*)/);
  let text = texts[group]?.[name] ?? key;
  if (typeof text !== "string") {
    const form = new Intl.PluralRules(LOCALES[language]).select(Number(values.n));
    text = text[form] ?? text.other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, place) => (place in values ? shown(values[place]) : whole));
}

/** @param {string | number} value */
const shown = (value) => (typeof value === "number" ? number(value) : value);

/** @param {number} value @param {Intl.NumberFormatOptions} [options] */
export const number = (value, options) => new Intl.NumberFormat(LOCALES[language], options).format(value);

/** @param {number} value from 0 to 1 */
export const percent = (value) => number(value, { style: "percent", maximumFractionDigits: 0 });

/** The year only where it is another one. @param {string} time RFC 3339 */
export function moment(time) {
  const at = new Date(time);
  const year = at.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  const options = { day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(LOCALES[language], /** @type {any} */ (options)).format(at);
}

/** @param {string[]} items */
export const list = (items) => new Intl.ListFormat(LOCALES[language], { type: "conjunction" }).format(items);
