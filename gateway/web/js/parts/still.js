// A table as a picture: nothing in it can be touched.

import { PILES, pileName } from "../table/words.js";
import { h } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { icon } from "./icons.js";

/** @param {any} table @param {any[]} players */
export function still(table, players) {
  const piles = PILES.map((it) => {
    const { direction, top } = table.piles[it];
    return h(
      "li",
      { class: `still-pile ${direction}` },
      icon(direction),
      h("span", { class: "for-readers" }, pileName(it)),
      h("strong", null, String(top ?? "?")),
    );
  });
  const hands = table.hands.map((/** @type {number} */ hand, /** @type {number} */ seat) =>
    h(
      "li",
      { class: seat === table.active_seat ? "active" : "" },
      h("span", null, players[seat]?.name || t("seat.nameless", { n: seat + 1 })),
      h("strong", null, String(hand)),
    ),
  );
  return h(
    "div",
    { class: "still" },
    h("ul", { class: "still-piles" }, piles),
    h(
      "ul",
      { class: "still-hands" },
      hands,
      h("li", null, h("span", null, t("deck.name")), h("strong", null, String(table.deck))),
    ),
  );
}
