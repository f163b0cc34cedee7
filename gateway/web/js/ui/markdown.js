// The little of Markdown that the guide is written in, as elements: nothing in it can become a script.

import { h } from "./dom.js";

const INLINE = /(\*\*[^*]+\*\*|!\[[^\]]*\]\([^)\s]+\))/;

/** Paragraphs, lists, strong words and drawings. @param {string} text @returns {Node[]} */
export function markdown(text) {
  return text.trim().split(/\n\s*\n/).map(block);
}

/** @param {string} text @returns {Node} */
function block(text) {
  const lines = text.split("\n");
  if (lines.every((it) => it.startsWith("- "))) return h(
    "ul",
    lines.map((it) => h("li", inline(it.slice(2)))),
  );
  return h("p", inline(lines.join(" ")));
}

/** @param {string} text @returns {any[]} */
function inline(text) {
  return text.split(INLINE).map((part) => {
    const image = /^!\[([^\]]*)\]\((\/[^/)][^)\s]*)\)$/.exec(part);
    if (image) return h("img", { alt: image[1], src: image[2], loading: "lazy" });
    return /^\*\*.+\*\*$/.test(part) ? h("strong", part.slice(2, -2)) : part;
  });
}
