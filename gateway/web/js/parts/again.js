// A new game for people who have played together before: one question, who starts.

import { newId } from "../api/ids.js";
import { open } from "../api/calls.js";
import { createGame } from "../api/games.js";
import { keepGame } from "../offline/journal.js";
import { go } from "../router.js";
import { nameOf } from "../table/words.js";
import { ask, doing, h, t } from "../ui/screen.js";

/** @typedef {{player_id?: string | null, name: string}} Person */

/** What was asked for and not answered. */
let asked = { text: "", id: "" };

/** @param {{players: Person[], options: any}} like a game, or what one is made from */
export function again({ players, options }) {
  return doing(async () => {
    const first = await whoStarts(players, options);
    if (first === null) return;
    const { difficulty, reduced_hand } = options;
    const wanted = {
      ruleset: "the-game",
      options: { difficulty, reduced_hand, first_seat: first },
      players: players.map(({ player_id, name }) => (player_id ? { player_id } : { name })),
    };
    // The answer may have been lost, not the game: the same wish again is the same game.
    const text = JSON.stringify(wanted);
    if (text !== asked.text) asked = { text, id: newId() };
    const game = await createGame({ id: asked.id, ...wanted });
    asked = { text: "", id: "" };
    await keepGame(game);
    await go(`/games/${game.id}`);
  })();
}

/** @param {Person[]} players @param {any} options @returns {Promise<number | null>} a seat */
async function whoStarts(players, { reduced_hand }) {
  if (players.length === 1) return 0;
  const deal = h("p");
  open("GET", "/v1/rulesets/the-game").then(({ hand_sizes: { normal, reduced } }) => {
    const n = (reduced_hand ? reduced : normal)[players.length];
    deal.textContent = t("start.deal", { hand: t("seat.hand", { n }) });
  }).catch(() => {}); // whoever deals may know it all the same
  const choices = players.map((_, seat) => ({ value: String(seat), label: nameOf({ players }, seat) }));
  const chosen = await ask({ title: t("start.title"), text: [deal, t("start.text")], choices });
  return chosen === null ? null : Number(chosen);
}
