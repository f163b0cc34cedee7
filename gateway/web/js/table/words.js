// The table in words: piles, actions, instructions, as people at the table say them.

import { list, t } from "../ui/i18n.js";

export const PILES = /** @type {const} */ (["up1", "up2", "down1", "down2"]);

/** @param {string} pile */
export const pileName = (pile) => t(`pile.${pile}`);

/** @param {{players: any[]}} game @param {number} seat */
export const nameOf = (game, seat) => game.players[seat]?.name || t("seat.nameless", { n: seat + 1 });

/** Everybody at the table. @param {{players: any[]}} game */
export const namesOf = (game) => list(game.players.map((_, seat) => nameOf(game, seat)));

/** What an action was, for a button that takes it back. @param {any} action @param {string} type */
export function actionName(action, type) {
  if (type === "play" && action?.card) return t(
    "action.play_card",
    { card: action.card, pile: pileName(action.pile) },
  );
  if (type === "play" && action?.pile) return t("action.play_unnamed", { pile: pileName(action.pile) });
  return t(`action.${type}`);
}

/** What an instruction asks people to do. @param {any} game @param {any} instruction */
export function instructionText(game, { kind, seat, count, pile, card }) {
  const name = seat === undefined ? "" : nameOf(game, seat);
  switch (kind) {
    case "draw":
      return t("instruction.draw", { name, n: count });
    case "return_cards":
      return t("instruction.return_cards", { name, n: count });
    case "take_back":
      return card
        ? t("instruction.take_back", { name, card, pile: pileName(pile) })
        : t("instruction.take_back_unnamed", { name, pile: pileName(pile) });
    case "next_player":
      return t("instruction.next_player", { name });
    default:
      return t("instruction.result");
  }
}

/** Whose turn it is and what is still owed, as one sentence. @param {any} game @param {import("./projection.js").View} view */
export function turnText(game, { table, isSeatKnown }) {
  if (table.status === "finished") return t("turn.finished");
  if (table.status === "cleared") return t("turn.cleared");
  if (table.status === "blocked") return t("turn.blocked", { n: table.remaining });
  return isSeatKnown ? t("turn.of", { name: nameOf(game, table.active_seat) }) : t("turn.unknown");
}

/** @param {import("./projection.js").View} view */
export function owedText({ table }) {
  if (table.status !== "playing") return "";
  if (table.phase === "drawn") return t("owed.drawn");
  const owed = table.minimum - table.played_this_turn;
  return owed > 0 ? t("owed.more", { n: owed }) : t("owed.enough");
}
