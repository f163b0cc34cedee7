// Who uses this device: a signed-in person, and the games that it was invited to.

import { exclusively } from "../offline/locks.js";
import { content, exchange } from "./http.js";
import { Refusal, SignedOut } from "./problems.js";

/**
 * @typedef {{id: string, email: string, display_name?: string | null, locale?: string | null, plan?: string}} Account
 * @typedef {{access_token: string, refresh_token: string, account: Account}} Session
 * @typedef {{access_token: string, game_id: string, role: string, guest_id: string, expires_at: string,
 *   names?: string}} Guest `names` once the game was seen
 */

const SESSION = "ninety-eight.session";
const GUESTS = "ninety-eight.guests";
export const GUEST = "guest";

/** @param {string} place @returns {any} */
const kept = (place) => JSON.parse(localStorage.getItem(place) ?? "null");

/** @returns {Session | null} */
export function session() {
  const now = kept(SESSION);
  return now?.account ? now : null;
}

/** @returns {Account | null} */
export const account = () => session()?.account ?? null;

/** Who uses this device, as far as what it keeps is concerned. */
export const me = () => account()?.id ?? GUEST;

/** Whose a game is on this device: guests' ones are theirs, whoever signs in or out. @param {string} gameId */
export const ownerOf = (gameId) => (guest(gameId) ? GUEST : me());

/** Call `changed` when another tab has signed somebody in or out. @param {() => void} changed */
export function onAnotherPerson(changed) {
  const id = (/** @type {string | null} */ text) => JSON.parse(text ?? "null")?.account?.id;
  window.addEventListener("storage", ({ key, oldValue, newValue }) => {
    if (key === null || (key === SESSION && id(oldValue) !== id(newValue))) changed();
  });
}

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

/**
 * What whoever uses this device may do with a game.
 * @param {{id: string, access?: {role: string}}} game `access` where it is known
 */
export const roleIn = ({ id, access }) => guest(id)?.role ?? access?.role ?? "owner";

/** Whether everything. @param {{id: string, access?: {role: string}}} game */
export const isOwner = (game) => roleIn(game) === "owner";

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
      const { access_token, refresh_token } = await content(answer);
      keep({ access_token, refresh_token });
      return access_token;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      forget();
      throw new SignedOut();
    }
  });
}
