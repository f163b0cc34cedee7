// Makes what is on the screen like a new tree, keeping the elements that stay: focus and scrolling remain.

import { HANDLERS } from "./dom.js";

/**
 * @param {Element} root
 * @param {any} content its new children
 */
export function render(root, content) {
  const fresh = document.createDocumentFragment();
  fresh.append(...[content].flat(2).filter(Boolean));
  children(root, fresh);
}

/** @param {any} old @param {any} fresh */
function children(old, fresh) {
  let place = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const match = matching(place, node);
    if (!match) {
      old.insertBefore(node, place);
      continue;
    }
    if (match === place) place = place.nextSibling;
    else old.insertBefore(match, place);
    update(match, node);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** The first sibling from `place` on that may become `node`. @param {any} place @param {any} node */
function matching(place, node) {
  const key = node.dataset?.key;
  if (key === undefined) return place && isLike(place, node) && place.dataset?.key === undefined ? place : null;
  for (let it = place; it; it = it.nextSibling) if (isLike(it, node) && it.dataset?.key === key) return it;
  return null;
}

/** @param {any} one @param {any} other */
function isLike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && one.type === other.type;
}

/** @param {any} old @param {any} fresh */
function update(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    // Opened by whoever reads
    const isTheirs = name === "open" && old.nodeName === "DETAILS";
    if (!isTheirs && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const name of old[HANDLERS] ?? []) old[name] = null;
  for (const name of fresh[HANDLERS] ?? []) old[name] = fresh[name];
  old[HANDLERS] = fresh[HANDLERS];
  children(old, fresh);
  if (old.nodeName === "SELECT" || old.type === "range") old.value = fresh.value;
  if (old.type === "checkbox" || old.type === "radio") old.checked = fresh.checked;
}
