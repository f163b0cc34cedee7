// A button with words on it.

import { h } from "./dom.js";

/**
 * @param {string | any[]} label
 * @param {((event: any) => void) | undefined} onclick
 * @param {string} [kind] classes besides `button`: primary, danger, quiet, small, big
 * @param {Record<string, any>} [more] further attributes
 */
export const button = (label, onclick, kind = "", more = {}) =>
  h("button", { type: "button", class: `button ${kind}`.trim(), onclick, ...more }, label);
