// `/v1/games`: reading, making and changing games, and bringing in what was recorded offline.

import { newId } from "./ids.js";
import { call, items } from "./calls.js";

/** @param {string} id @param {string} [rest] */
const path = (id, rest = "") => `/v1/games/${encodeURIComponent(id)}${rest}`;

/** Some, newest first. @param {Record<string, any>} query @returns {Promise<{items: any[], next_cursor: string | null}>} */
export const listGames = (query) => call("GET", "/v1/games", { query });

/** @param {any} body */
export const createGame = (body) => call("POST", "/v1/games", { body });

/** @param {string} id @param {number} [at] a version */
export const readGame = (id, at) => call("GET", path(id), { gameId: id, query: { at } });

/** @param {string} id @param {any[]} actions @param {number} [version] @param {string} [device] */
export const act = (id, actions, version, device) =>
  call("POST", path(id, "/actions"), {
    gameId: id,
    body: { actions, ...(version === undefined ? {} : { expected_version: version }) },
    headers: device ? { "X-Device": encodeURIComponent(device) } : {},
  });

/** @param {string} id @param {string} device @param {number} version @param {any[]} actions */
export const sync = (id, device, version, actions) =>
  call("POST", path(id, "/sync"), { gameId: id, body: { device, base_version: version, actions } });

/** @param {string} id @param {{after?: number, tables?: boolean}} [query] @returns {Promise<any[]>} */
export const readLog = (id, query = {}) => items(path(id, "/log"), { gameId: id, query }, 10_000);

/** The latest actions, which an undo is named by. @param {string} id @param {number} version */
export const readLatest = async (id, version) =>
  (await readLog(id, { after: Math.max(0, version - 60) })).map((it) => it.action);

/** @param {string} id */
export const readAccess = (id) => call("GET", path(id, "/access"), { gameId: id });

/** A game with what one may do with it. @param {string} id */
export async function readShared(id) {
  const [game, access] = await Promise.all([readGame(id), readAccess(id)]);
  return { ...game, access };
}

/** A game that another account shares with this one is not among its games any more. @param {string} id */
export const leaveGame = (id) => call("DELETE", path(id, "/access"));

/** @param {string} id */
export const binGame = (id) => call("DELETE", path(id));

/** @param {string} id */
export const restoreGame = (id) => call("POST", path(id, "/restore"));

/** @param {string} id @param {number} to @param {number} expected */
export const rewindGame = (id, to, expected) =>
  call("POST", path(id, "/rewind"), {
    body: { id: newId(), to_version: to, expected_version: expected },
  });

/** @param {string} id @param {any} table @param {number} expected */
export const adoptTable = (id, table, expected) =>
  call("POST", path(id, "/adopt"), { body: { id: newId(), table, expected_version: expected } });

/** @param {string} id @returns {Promise<any[]>} */
export const listInvitations = (id) => items(path(id, "/invitations"));

/** @param {string} id @param {{role: string, expires_in: number}} body */
export const invite = (id, body) => call("POST", path(id, "/invitations"), { body });

/** @param {string} id @param {string} invitation */
export const revoke = (id, invitation) => call("DELETE", path(id, `/invitations/${encodeURIComponent(invitation)}`));

/** @param {string} id @returns {Promise<any[]>} */
export const listParked = (id) => items(path(id, "/parked"), { gameId: id });

/** @param {string} id @param {string} action */
export const discardParked = (id, action) => call("DELETE", path(id, `/parked/${encodeURIComponent(action)}`));
