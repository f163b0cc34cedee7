// A table as a picture: nothing in it can be touched.

import { nameOf, PILES, pileName } from "../table/words.js";
import { h, icon, t } from "../ui/screen.js";

/** @param {any} table @param {any[]} players */
export function still(table, players) {
  const piles = PILES.map((it) => {
    const { direction, top } = table.piles[it];
    return h(
      "li",
      { class: `still-pile ${direction}` },
      icon(direction),
      h("span.for-readers", pileName(it)),
      h("strong", String(top ?? "?")),
    );
  });
  const hands = table.hands.map((/** @type {number} */ hand, /** @type {number} */ seat) =>
    h(
      "li",
      { class: seat === table.active_seat ? "active" : "" },
      h("span", nameOf({ players }, seat)),
      h("strong", String(hand)),
    ),
  );
  return h(
    "div.still",
    h("ul.still-piles", piles),
    h(
      "ul.still-hands",
      hands,
      h("li", h("span", t("deck.name")), h("strong", String(table.deck))),
    ),
  );
}
