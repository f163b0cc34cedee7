// `/v1/accounts`, `/v1/auth`, `/v1/me` and `/v1/players`: the person signed in, and whom they play with.

import { newId } from "./ids.js";
import { answered, call, items, open } from "./calls.js";
import { SignedOut } from "./problems.js";
import { forget, keep } from "./session.js";

/** @param {{email: string, password: string, locale: string, display_name?: string}} body */
export async function signUp(body) {
  const { account, access_token, refresh_token } = await open("POST", "/v1/accounts", { body });
  keep({ account, access_token, refresh_token });
}

/** @param {string} email @param {string} password */
export async function signIn(email, password) {
  const { access_token, refresh_token } = await open("POST", "/v1/auth/tokens", { body: { email, password } });
  const account = await open("GET", "/v1/me", { token: access_token });
  keep({ account, access_token, refresh_token });
}

/**
 * Here also where the gateway cannot be told; everywhere only if it can. @param {boolean} everywhere
 * @returns {Promise<boolean>} whether it was told
 */
export async function signOut(everywhere) {
  let isTold = true;
  try {
    await answered("DELETE", "/v1/auth/tokens", { query: { everywhere: everywhere || null } });
  } catch (error) {
    if (everywhere && !(error instanceof SignedOut)) throw error;
    isTold = error instanceof SignedOut;
  }
  forget();
  return isTold;
}

/** @returns {Promise<any>} */
export async function readMe() {
  const account = await call("GET", "/v1/me");
  keep({ account });
  return account;
}

/** @param {{display_name?: string | null, locale?: string}} body */
export const changeMe = async (body) => keep({ account: await call("PATCH", "/v1/me", { body }) });

/** @param {string} password */
export async function deleteMe(password) {
  await answered("DELETE", "/v1/me", { body: { password } });
  forget();
}

export const exportMe = () => call("GET", "/v1/me/export");

/** @param {string} current_password @param {string} new_password */
export const changePassword = async (current_password, new_password) => {
  const answer = await answered("POST", "/v1/me/password", { body: { current_password, new_password } });
  const tokens = answer.status === 204 ? null : await answer.json();
  if (tokens?.access_token) keep({ access_token: tokens.access_token, refresh_token: tokens.refresh_token });
};

/** @param {string} code @param {string} password */
export const resetPassword = (code, password) =>
  open("POST", "/v1/auth/password-reset", { body: { code, password } });

/** @param {string} code */
export const redeem = (code) => call("POST", "/v1/me/plus", { body: { code } });

/** Those who play; `everybody`: also who was put away or is somebody else. @returns {Promise<any[]>} */
export const listPlayers = (everybody = false) =>
  items("/v1/players", { query: everybody ? { archived: "all", merged: "all" } : {} });

/** @param {string} name */
export const createPlayer = (name) => call("POST", "/v1/players", { body: { id: newId(), name } });

/** @param {string} id @param {Record<string, any>} body */
export const changePlayer = (id, body) => call("PATCH", `/v1/players/${encodeURIComponent(id)}`, { body });

/** @param {string} id @param {string} into */
export const mergePlayer = (id, into) => call(
  "POST",
  `/v1/players/${encodeURIComponent(id)}/merge`,
  { body: { into } },
);

/** @param {string} id */
export const unmergePlayer = (id) => call("POST", `/v1/players/${encodeURIComponent(id)}/unmerge`);

/** As whoever is signed in, else as a guest. @param {string} code @returns {Promise<any>} */
export async function acceptInvitation(code) {
  /** @type {["POST", string, any]} */
  const request = ["POST", "/v1/invitations/accept", { body: { code } }];
  try {
    return await call(...request);
  } catch (error) {
    if (error instanceof SignedOut) return open(...request);
    throw error;
  }
}
