// The append-only log of what was entered on this device, game by game, and the games as they were last seen.

import { me, ownerOf } from "../api/session.js";
import { exclusively } from "./locks.js";
import { within } from "./database.js";
import { fold, isDone } from "./fold.js";

/**
 * A game as somebody's on this device; who that is stays the same while it is on the screen.
 * @typedef {{id: string, owner: string}} Place
 * @param {string} id
 * @returns {Place}
 */
export const placeOf = (id) => ({ id, owner: ownerOf(id) });

/** Tells the other tabs of this device that a journal has grown. */
const channel = new BroadcastChannel("ninety-eight.journals");
/** @type {Set<(gameId: string) => void>} */
const listeners = new Set();
channel.onmessage = ({ data }) => listeners.forEach((hear) => hear(data));

/** @param {(gameId: string) => void} hear @param {AbortSignal} signal */
export function onJournal(hear, signal) {
  listeners.add(hear);
  signal.addEventListener("abort", () => listeners.delete(hear));
}

/** @param {Place} place */
export const readJournal = async ({ id, owner }) => {
  const lines = await within(owner, "lines", "readonly", (store) => store.index("game_id").getAll(id));
  return fold(lines.map((/** @type {any} */ it) => it.line));
};

/** Add lines; they are on the disk when this resolves. @param {Place} place @param {...any} added */
export async function append({ id, owner }, ...added) {
  await within(owner, "lines", "readwrite", (store) => {
    for (const line of added) store.add({ game_id: id, line });
  });
  channel.postMessage(id);
  listeners.forEach((hear) => hear(id));
}

/**
 * Enter an action that goes on from `version` of the game.
 * @param {Place} place @param {import("./fold.js").Action} action @param {number} version
 */
export function record(place, action, version) {
  return exclusively(`journal-${place.id}`, async () => {
    const { pending } = await readJournal(place);
    await append(place, ...(pending.length ? [] : [{ base: { version } }]), { action });
  });
}

/** Remove the lines of a game of which nothing is of use any more. @param {Place} place */
export function clear(place) {
  return exclusively(`journal-${place.id}`, async () => {
    if (!isDone(await readJournal(place))) return;
    await within(place.owner, "lines", "readwrite", (store) => {
      const cursors = store.index("game_id").openCursor(place.id);
      cursors.onsuccess = () => {
        cursors.result?.delete();
        cursors.result?.continue();
      };
    });
  });
}

/** The conflict that entries of this device opened needs nobody any more. @param {Place} place @param {string} id */
export async function settled(place, id) {
  if ((await readJournal(place)).conflict !== id) return;
  await append(place, { dismissed: [id] });
  await clear(place);
}

/** The ids of all games with something to send or to show. @param {string} owner @returns {Promise<string[]>} */
export async function openJournals(owner) {
  const all = await within(owner, "lines", "readonly", (store) => store.getAll());
  return [...new Set(all.map((/** @type {any} */ it) => it.game_id))];
}

// Without a place to keep them games are played all the same, as long as there is a network.

/** @param {any} game @param {string} [owner] */
export const keepGame = (game, owner = ownerOf(game.id)) =>
  within(owner, "games", "readwrite", (store) => store.put(game)).catch(() => {});

/** It is not among the games of this person any more. @param {Place} place */
export const dropGame = ({ id, owner }) =>
  within(owner, "games", "readwrite", (store) => store.delete(id)).catch(() => {});

/** @param {Place} place @returns {Promise<any>} */
export const keptGame = ({ id, owner }) =>
  within(owner, "games", "readonly", (store) => store.get(id)).catch(() => null);

/** @param {string} [owner] @returns {Promise<any[]>} */
export const keptGames = (owner = me()) =>
  within(owner, "games", "readonly", (store) => store.getAll()).catch(() => []);
