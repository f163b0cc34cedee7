// The one thing that comes next, as the table and the last instructions say it.

/**
 * @typedef {{kind: "play", owed: number} | {kind: "draw", count: number | null} | {kind: "end_turn"} |
 *   {kind: "confirm"} | {kind: "over"} | {kind: "give_back", instruction: any}} Next
 */

/**
 * @param {import("./projection.js").View} view
 * @param {any[]} instructions those not carried out yet
 * @returns {Next}
 */
export function next({ table, areCountsKnown, isAhead }, instructions) {
  const back = instructions.find((it) => it.kind === "return_cards" || it.kind === "take_back");
  if (back) return { kind: "give_back", instruction: back };
  if (table.status === "finished") return { kind: "over" };
  if (table.status !== "playing") return { kind: "confirm" };
  if (table.phase === "drawn") return { kind: "end_turn" };
  const owed = table.minimum - table.played_this_turn;
  if (owed > 0) return { kind: "play", owed };
  if (isAhead) return drawUnchecked(table, areCountsKnown);
  return table.to_draw > 0 ? { kind: "draw", count: table.to_draw } : { kind: "end_turn" };
}

/** How many there are to draw is for the rules to say; that a deck is there can be seen. @returns {Next} */
function drawUnchecked(/** @type {any} */ table, /** @type {boolean} */ areCountsKnown) {
  return table.deck > 0 || !areCountsKnown ? { kind: "draw", count: null } : { kind: "end_turn" };
}

/** Whether the pile may take a card now, as far as anybody knows. @param {import("./projection.js").View} view */
export const canPlay = ({ table }) => table.status === "playing" && table.phase === "play";

/**
 * What the table says about a card on a pile.
 * @param {import("./projection.js").View} view @param {string} pile @param {number} card
 * @returns {"out" | "playable" | "uncertain" | "unchecked" | "impossible"}
 */
export function judged(view, pile, card) {
  const { piles, played } = view.table;
  if (played.includes(card)) return "out";
  if (view.pending.has(pile) || !view.isSeatKnown) return "unchecked";
  if (piles[pile].playable.includes(card)) return "playable";
  if (piles[pile].uncertain.includes(card)) return "uncertain";
  return "impossible";
}
