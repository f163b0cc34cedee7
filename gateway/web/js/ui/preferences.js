// What a person has chosen for this device: language, light, size of text, keys, its name.

import { newId } from "../api/ids.js";
import { preferred, t } from "./i18n.js";

/**
 * @typedef {{language: string | null, theme: "system" | "light" | "dark", size: "normal" | "large" | "huge",
 *   keys: boolean, device: string | null}} Preferences
 */

const PLACE = "ninety-eight.preferences";
/** @type {Preferences} */
const DEFAULTS = { language: null, theme: "system", size: "normal", keys: true, device: null };

/** @returns {Preferences} */
export function preferences() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(PLACE) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

/** @param {Partial<Preferences>} changes */
export function prefer(changes) {
  localStorage.setItem(PLACE, JSON.stringify({ ...preferences(), ...changes }));
  apply();
}

/** The language this person reads. */
export const language = () => preferences().language ?? preferred();

/** How other devices at the table see this one. */
export function deviceName() {
  const { device } = preferences();
  if (device) return device;
  const isNarrow = Math.min(screen.width, screen.height) < 600;
  const kind = !matchMedia("(pointer:coarse)").matches ? "computer" : isNarrow ? "phone" : "tablet";
  const mark = newId().slice(0, 3).toUpperCase();
  const name = `${t(`device.${kind}`)} ${mark}`;
  prefer({ device: name });
  return name;
}

/** Show what is preferred. */
export function apply() {
  const { theme, size } = preferences();
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.size = size;
  const bright = { system: "(prefers-color-scheme:light)", light: "all", dark: "not all" }[theme];
  document.querySelector("meta[media]")?.setAttribute("media", bright); // the first that applies colours the browser
}
