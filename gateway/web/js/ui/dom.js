// Makes elements. Handlers are properties (`onclick`), everything else is an attribute.

const SVG = "http://www.w3.org/2000/svg";

/** Where an element keeps the names of the handlers it was given. */
export const HANDLERS = Symbol("handlers");

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @param {string} tag
 * @param {Record<string, any> | null} [props] `key` names it among its siblings
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function h(tag, props, ...children) {
  return filled(document.createElement(tag), props, children);
}

/**
 * The same for a drawing.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {any}
 */
export function s(tag, props, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

/** @param {any} element @param {Record<string, any> | null | undefined} props @param {any[]} children */
function filled(element, props, children) {
  element[HANDLERS] = [];
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name.startsWith("on")) {
      element[name] = value;
      element[HANDLERS].push(name);
    } else if (name === "value") element.value = value;
    else if (name === "key") element.dataset.key = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children.flat(2)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}
