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

/**
 * One with a drawing, named for who does not see it.
 * @param {string} name @param {() => void} onclick @param {Node | string} drawing
 */
export const iconButton = (name, onclick, drawing) =>
  h("button", { type: "button", class: "icon-button", "aria-label": name, onclick }, drawing);
