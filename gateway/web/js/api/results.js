// `/v1/stats`, `/v1/results`, `/v1/conflicts` and the guide: what is read after and beside a game.

import { newId } from "./ids.js";
import { answered, call, items } from "./calls.js";
import { content, exchange } from "./http.js";

/** @param {Record<string, any>} query @returns {Promise<any[]>} */
export const stats = async (query) => (await call("GET", "/v1/stats", { query })).items;

export const yardstick = () => call("GET", "/v1/stats/yardstick");

/** @param {number} most newest first @returns {Promise<any[]>} */
export const results = (most) => items("/v1/results", { query: { limit: Math.min(most, 200) } }, most);

/** @param {string} type a media type @returns {Promise<Blob>} */
export const exported = async (type) =>
  (await answered("GET", "/v1/results", { headers: { Accept: type }, deadlineMs: 120_000 })).blob();

/** @param {Record<string, any>} [query] @returns {Promise<any[]>} */
export const listConflicts = (query = {}) => items("/v1/conflicts", { query });

/** @param {string} id */
const path = (id) => `/v1/conflicts/${encodeURIComponent(id)}`;

/** @param {string} id @param {string} [gameId] whose guests may read it too */
export const readConflict = (id, gameId) => call("GET", path(id), { gameId });

/** @param {string} id @param {any} body */
export const decide = (id, body) => call("POST", `${path(id)}/decision`, { body });

/** @param {string} id @param {"cloud" | "device"} side */
export const reopen = (id, side) => call("POST", `${path(id)}/reopen`, { body: { id: newId(), side } });

/** @param {string} lang @returns {Promise<{language: string, sections: any[]}>} */
export async function readGuide(lang) {
  const answer = await exchange("GET", "/v1/rulesets/the-game/guide", { query: { lang } });
  return { language: answer.headers.get("Content-Language") ?? lang, ...(await content(answer)) };
}
