// The append-only log of what was entered on this device, game by game, and the games as they were last seen.

import { exclusively } from "./locks.js";
import { within } from "./database.js";
import { fold, isDone } from "./fold.js";

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

/** @param {string} gameId */
const lines = (gameId) => within("lines", "readonly", (store) => store.index("game_id").getAll(gameId));

/** @param {string} gameId */
export const readJournal = async (gameId) => fold((await lines(gameId)).map((/** @type {any} */ it) => it.line));

/** Add lines; they are on the disk when this resolves. @param {string} gameId @param {...any} added */
export async function append(gameId, ...added) {
  await within("lines", "readwrite", (store) => {
    for (const line of added) store.add({ game_id: gameId, line });
  });
  tell(gameId);
}

/**
 * Enter an action that goes on from `version` of the game.
 * @param {string} gameId @param {import("./fold.js").Action} action @param {number} version
 */
export function record(gameId, action, version) {
  return exclusively(`journal-${gameId}`, async () => {
    const { pending } = await readJournal(gameId);
    await append(gameId, ...(pending.length ? [] : [{ base: { version } }]), { action });
  });
}

/** Remove the lines of a game of which nothing is of use any more. @param {string} gameId */
export function clear(gameId) {
  return exclusively(`journal-${gameId}`, async () => {
    if (!isDone(await readJournal(gameId))) return;
    await within("lines", "readwrite", (store) => {
      const cursors = store.index("game_id").openCursor(gameId);
      cursors.onsuccess = () => {
        cursors.result?.delete();
        cursors.result?.continue();
      };
    });
  });
}

/** The conflict that entries of this device opened needs nobody any more. @param {string} gameId @param {string} id */
export async function settled(gameId, id) {
  if ((await readJournal(gameId)).conflict !== id) return;
  await append(gameId, { dismissed: [id] });
  await clear(gameId);
}

/** The ids of all games with something to send or to show. @returns {Promise<string[]>} */
export async function openJournals() {
  const all = await within("lines", "readonly", (store) => store.getAll());
  return [...new Set(all.map((/** @type {any} */ it) => it.game_id))];
}

/** @param {any} game */
export const keepGame = (game) => within("games", "readwrite", (store) => store.put(game));

/** @param {string} id @returns {Promise<any>} */
export const keptGame = (id) => within("games", "readonly", (store) => store.get(id));

/** @returns {Promise<any[]>} */
export const keptGames = () => within("games", "readonly", (store) => store.getAll());

/** @param {string} gameId */
function tell(gameId) {
  channel.postMessage(gameId);
  listeners.forEach((hear) => hear(gameId));
}
