// One exchange with the gateway: JSON in and out, a deadline, refusals thrown.

import { language } from "../ui/preferences.js";
import { Refusal, Unreachable } from "./problems.js";

const DEADLINE_MS = 12_000;

/**
 * @typedef {{body?: any, token?: string | null, headers?: Record<string, string>, signal?: AbortSignal,
 *   query?: Record<string, any>, deadlineMs?: number}} Options
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Response>} one with a status below 400; throws `Refusal` and `Unreachable`
 */
export async function exchange(method, path, options = {}) {
  const { body, token, headers = {}, signal, query = {}, deadlineMs = DEADLINE_MS } = options;
  const sent = { Accept: "application/json", "Accept-Language": language(), ...headers };
  if (token) sent.Authorization = `Bearer ${token}`;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  if (deadlineMs) setTimeout(stop, deadlineMs);
  let answer;
  try {
    answer = await fetch(addressed(path, query), {
      method,
      headers: sent,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: stopping.signal,
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable();
  }
  if (answer.ok || answer.status === 304) return answer;
  const wait = Number(answer.headers.get("Retry-After"));
  throw new Refusal(await answer.json().catch(() => ({})), answer.status, wait || null);
}

/** What an answer says; throws `Unreachable` where it breaks off. @param {Response} answer @returns {Promise<any>} */
export async function content(answer) {
  try {
    return await answer.json();
  } catch {
    throw new Unreachable();
  }
}

/** @param {string} path @param {Record<string, any>} query */
function addressed(path, query) {
  const wanted = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return wanted.length ? `${path}?${new URLSearchParams(wanted.map(([name, value]) => [name, String(value)]))}` : path;
}
