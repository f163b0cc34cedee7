// What people see on the table, entered by them: a top for each pile, counts, whose turn it is.

import { nameOf, PILES, pileName } from "../table/words.js";
import { field } from "./fields.js";
import { h, t } from "../ui/screen.js";

/**
 * @param {any} table what is filled in already; a top of null is left open
 * @param {any[]} players
 */
export function tableFields(table, players) {
  const number = { type: "number", inputmode: "numeric", min: 0, max: 98, required: true };
  const tops = PILES.map((it) =>
    field(pileName(it), { ...number, name: it, min: 1, max: 100, required: false, value: table.piles[it].top ?? "" }),
  );
  const names = players.map((_, seat) => nameOf({ players }, seat));
  const hands = names.map((name, seat) => field(name, { ...number, name: `hand${seat}`, value: table.hands[seat] }));
  const seats = names.map((name, seat) => h("option", { value: seat, selected: seat === table.active_seat }, name));
  return [
    h("fieldset.grid-2", h("legend", t("adopt.tops")), tops),
    h("p.hint", t("adopt.open")),
    h(
      "fieldset.grid-2",
      h("legend", t("adopt.counts")),
      hands,
      field(t("deck.name"), { ...number, name: "deck", value: table.deck }),
    ),
    h(
      "div.field",
      h("label", { for: "active" }, t("adopt.active")),
      h("select", { id: "active", name: "active_seat" }, seats),
    ),
  ];
}

/** The table as the API takes it. @param {Record<string, string>} values @param {number} seats */
export function tableShown(values, seats) {
  const piles = Object.fromEntries(PILES.map((it) => [it, values[it] === "" ? null : Number(values[it])]));
  const hands = Array.from({ length: seats }, (_, seat) => Number(values[`hand${seat}`]));
  return { piles, hands, deck: Number(values.deck), active_seat: Number(values.active_seat) };
}
