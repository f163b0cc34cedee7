// Makes elements. Handlers are properties (`onclick`), everything else is an attribute.

const SVG = "http://www.w3.org/2000/svg";

/** Where an element keeps the names of the handlers it was given. */
export const HANDLERS = Symbol("handlers");

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Child | Child[]} Content
 * @param {string} tag with classes: `p.hint`
 * @param {Record<string, any> | Content} [props] where it has any; `key` names it among its siblings
 * @param {...Content} children
 * @returns {any}
 */
export const h = (tag, props, ...children) => made((name) => document.createElement(name), tag, props, children);

/**
 * The same for a drawing.
 * @param {string} tag
 * @param {Record<string, any> | Content} [props]
 * @param {...Content} children
 * @returns {any}
 */
export const s = (tag, props, ...children) =>
  made((name) => document.createElementNS(SVG, name), tag, props, children);

/** @param {(name: string) => any} create @param {string} tag @param {any} props @param {any[]} children */
function made(create, tag, props, children) {
  const [name, ...classes] = tag.split(".");
  const element = create(name);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  const hasProps = props?.constructor === Object;
  equip(element, hasProps ? props : {});
  for (const child of [hasProps ? null : props, children].flat(3)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** @param {any} element @param {Record<string, any>} props */
function equip(element, props) {
  element[HANDLERS] = [];
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) {
      element[name] = value;
      element[HANDLERS].push(name);
    } else if (name === "value") element.value = value;
    else if (name === "key") element.dataset.key = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}
