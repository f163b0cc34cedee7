// Calls made as somebody: the guest of a game, or the person signed in; a stale token is renewed once.

import { content, exchange } from "./http.js";
import { Refusal, SignedOut } from "./problems.js";
import { guest, keepGuest, renewed, session } from "./session.js";

/**
 * @typedef {import("./http.js").Options & {gameId?: string}} As
 * @param {string} method
 * @param {string} path
 * @param {As} [options]
 * @returns {Promise<Response>}
 */
export async function answered(method, path, options = {}) {
  const { gameId } = options;
  const invited = gameId ? guest(gameId) : null;
  if (gameId && invited) {
    try {
      return await exchange(method, path, { ...options, token: invited.access_token });
    } catch (error) {
      if (!(error instanceof Refusal) || ![401, 404].includes(error.status) || !session()) throw error;
      // Whose invitation has ended may have the game as somebody signed in.
      const found = await own(method, path, options).catch(() => null);
      if (!found) throw error;
      keepGuest(gameId, null);
      return found;
    }
  }
  return own(method, path, options);
}

/** @param {string} method @param {string} path @param {As} options */
async function own(method, path, options) {
  const now = session();
  if (!now) throw new SignedOut();
  try {
    return await exchange(method, path, { ...options, token: now.access_token });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401 || error.code === "bad_credentials") throw error;
    return exchange(method, path, { ...options, token: await renewed(now.access_token) });
  }
}

/** @param {string} method @param {string} path @param {As} [options] @returns {Promise<any>} */
export async function call(method, path, options = {}) {
  const answer = await answered(method, path, options);
  return answer.status === 204 ? null : content(answer);
}

/** Without a token. @param {string} method @param {string} path @param {import("./http.js").Options} [options] */
export async function open(method, path, options = {}) {
  return content(await exchange(method, path, options));
}

/** All items of a list, up to `most`. @param {string} path @param {As} [options] @param {number} [most] */
export async function items(path, options = {}, most = 1000) {
  const found = [];
  let cursor = null;
  do {
    const page = await call("GET", path, { ...options, query: { limit: 200, ...options.query, cursor } });
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor && found.length < most);
  return found;
}
