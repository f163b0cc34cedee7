// Who sits at the table, in the order of play, and how many cards each holds: a count, never which.

import { nameOf } from "../table/words.js";
import { h, icon, t } from "../ui/screen.js";

/** @param {any} game @param {import("../table/projection.js").View} view */
export function seats(game, { table, isSeatKnown, areCountsKnown }) {
  const items = table.hands.map((/** @type {number} */ hand, /** @type {number} */ seat) => {
    const isActive = isSeatKnown && seat === table.active_seat && table.status === "playing";
    const count = areCountsKnown ? String(hand) : "·";
    return h(
      "li",
      { class: isActive ? "seat active" : "seat", "aria-current": isActive ? "true" : null },
      h("span.seat-name", nameOf(game, seat)),
      h(
        "span.seat-hand",
        icon("card"),
        h("span", { "aria-hidden": "true" }, count),
        h("span.for-readers", areCountsKnown ? t("seat.hand", { n: hand }) : t("pending.mark")),
      ),
    );
  });
  const deck = areCountsKnown ? String(table.deck) : "·";
  return h(
    "ol.seats",
    { key: "seats", "aria-label": t("seat.all") },
    items,
    h(
      "li.seat.deck",
      h("span.seat-name", t("deck.name")),
      h(
        "span.seat-hand",
        icon("deck"),
        h("span", { "aria-hidden": "true" }, deck),
        h("span.for-readers", t("seat.hand", { n: table.deck })),
      ),
    ),
  );
}
