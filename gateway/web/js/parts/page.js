// What most screens are made of: a heading with a way back, the content, and the places of the client below.

import { account } from "../api/session.js";
import { h, icon, t } from "../ui/screen.js";

/** @type {[string, string, string][]} */
const PLACES = [
  ["/", "home", "nav.home"],
  ["/stats", "chart", "nav.stats"],
  ["/guide", "book", "nav.guide"],
  ["/settings", "gear", "nav.settings"],
];

/**
 * @param {{title: string, back?: string | null, wide?: boolean}} about
 * @param {...any} content
 */
export function page({ title, back = null, wide = false }, ...content) {
  const way = back
    ? h("a.icon-button", { href: back, "aria-label": t("nav.back") }, icon("back"))
    : null;
  return [
    h("header.top", { key: "top" }, way, h("h1", { tabindex: "-1" }, title)),
    h("main", { class: wide ? "page wide" : "page", key: `main ${title}` }, ...content),
    account() ? places() : null,
  ];
}

function places() {
  const links = PLACES.map(([href, drawing, text]) =>
    h(
      "a",
      { href, "aria-current": location.pathname === href ? "page" : null },
      icon(drawing),
      h("span", t(text)),
    ),
  );
  return h("nav.places", { key: "places", "aria-label": t("nav.label") }, links);
}

/** A block of a page with its own heading. @param {string} title @param {...any} content */
export const section = (title, ...content) => h("section.section", h("h2", title), ...content);

/** Shown instead of what is not there yet. @param {string} text @param {...any} more */
export const empty = (text, ...more) => h("div.empty", h("p", text), ...more);

/** @param {any[]} items */
export const cards = (items) => h("ul.cards", items);

/** A block with a list, where there is something to list. @param {string} title @param {any[]} items */
export const listed = (title, items) => (items.length ? section(title, cards(items)) : null);
