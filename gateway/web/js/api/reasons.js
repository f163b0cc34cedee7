// Why entries were refused, in words, where an answer has but their codes.

import { open } from "./calls.js";

/**
 * @param {{verdict: string, code?: string}[]} outcomes
 * @param {{code?: string, detail?: string}} told a problem document that perhaps says it for one of them
 * @returns {Promise<Map<any, string>>} by code
 */
export async function reasonsFor(outcomes, told) {
  const codes = new Set(outcomes.filter((it) => it.verdict === "rejected").map((it) => it.code));
  const found = new Map();
  for (const code of codes) found.set(code, (code === told.code && told.detail) || (await meaning(code)));
  return found;
}

/** @param {string | undefined} code @returns {Promise<string>} nothing where it cannot be had now */
const meaning = (code) => open("GET", `/problems/${code}`).then((it) => it.detail, () => "");
