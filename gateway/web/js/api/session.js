// Who uses this device: a signed-in person, and the games that it was invited to.

import { exclusively } from "../offline/locks.js";
import { exchange } from "./http.js";
import { Refusal, SignedOut } from "./problems.js";

/**
 * @typedef {{id: string, email: string, display_name?: string | null, plan?: string}} Account
 * @typedef {{access_token: string, refresh_token: string, account: Account}} Session
 * @typedef {{access_token: string, game_id: string, role: string, guest_id: string, expires_at: string}} Guest
 */

const SESSION = "ninety-eight.session";
const GUESTS = "ninety-eight.guests";

/** @param {string} place @returns {any} */
const kept = (place) => JSON.parse(localStorage.getItem(place) ?? "null");

/** @returns {Session | null} */
export const session = () => kept(SESSION);

/** @returns {Account | null} */
export const account = () => session()?.account ?? null;

/** Whether the cloud's part for several devices is open to this person. */
export const hasPlus = () => account()?.plan === "plus";

/** @param {Partial<Session>} changes */
export function keep(changes) {
  localStorage.setItem(SESSION, JSON.stringify({ ...session(), ...changes }));
}

/** Forget who was signed in. */
export function forget() {
  localStorage.removeItem(SESSION);
}

/** @returns {Record<string, Guest>} */
export const guests = () => kept(GUESTS) ?? {};

/** @param {string} gameId */
export const guest = (gameId) => guests()[gameId] ?? null;

/** @param {string} gameId @param {Guest | null} invited */
export function keepGuest(gameId, invited) {
  const { [gameId]: _, ...others } = guests();
  localStorage.setItem(GUESTS, JSON.stringify(invited ? { ...others, [gameId]: invited } : others));
}

/**
 * A token that is newer than `stale`, perhaps had by another tab; throws `SignedOut`.
 * @param {string} stale an access token
 * @returns {Promise<string>}
 */
export function renewed(stale) {
  return exclusively(SESSION, async () => {
    const now = session();
    if (!now) throw new SignedOut();
    if (now.access_token !== stale) return now.access_token;
    try {
      const answer = await exchange(
        "POST",
        "/v1/auth/tokens/refresh",
        { body: { refresh_token: now.refresh_token } },
      );
      const { access_token, refresh_token } = await answer.json();
      keep({ access_token, refresh_token });
      return access_token;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      forget();
      throw new SignedOut();
    }
  });
}
