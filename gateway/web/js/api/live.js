// Follows a game: entries once and in order over connections that come and go.

import { answered } from "./calls.js";
import { EventStream } from "./events.js";
import { readLog } from "./games.js";
import { Refusal, SignedOut } from "./problems.js";

// Nearly three comments missed
const SILENCE_MS = 20_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * @typedef {{entry: any, table: any, result: any}} Seen
 * @typedef {{seq: () => number, entry: (seen: Seen) => void, presence: (devices: any[]) => void,
 *   connected: (is: boolean) => void, ended: (error: unknown) => void}} Listener
 * @param {string} gameId
 * @param {string} device
 * @param {Listener} listener `seq` is the last entry it has
 * @param {AbortSignal} signal
 */
export async function follow(gameId, device, listener, signal) {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let pauseMs = Math.min(500 * 2 ** attempt, LONGEST_PAUSE_MS);
    try {
      const ended = await oneStream(gameId, device, listener, signal, () => (attempt = 0));
      pauseMs = ended.retry_after ? ended.retry_after * 1000 : Math.max(ended.retryMs, attempt ? pauseMs : 0);
    } catch (error) {
      if (signal.aborted) return;
      const isFinal = error instanceof SignedOut || (error instanceof Refusal && !error.passes);
      if (isFinal) return listener.ended(error);
      if (error instanceof Refusal && error.retryAfterS) pauseMs = error.retryAfterS * 1000;
    }
    if (!signal.aborted) listener.connected(false);
    await pause(pauseMs * (1 - Math.random() / 2), signal);
  }
}

/** @param {string} gameId @param {string} device @param {Listener} listener @param {AbortSignal} signal @param {() => void} steady */
async function oneStream(gameId, device, listener, signal, steady) {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  signal.addEventListener("abort", stop, { once: true });
  let silence = setTimeout(stop, SILENCE_MS);
  try {
    const answer = await answered("GET", `/v1/games/${gameId}/live`, {
      gameId,
      headers: {
        Accept: "text/event-stream",
        "Last-Event-ID": String(listener.seq()),
        "X-Device": encodeURIComponent(device),
      },
      signal: stopping.signal,
      deadlineMs: 0,
    });
    const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
    const [decoder, stream] = [new TextDecoder(), new EventStream()];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { retryMs: stream.retryMs };
      clearTimeout(silence);
      silence = setTimeout(stop, SILENCE_MS);
      listener.connected(true);
      for (const message of stream.feed(decoder.decode(value, { stream: true }))) {
        if (message.event === "end") return { retryMs: stream.retryMs, ...JSON.parse(message.data) };
        await taken(gameId, message, listener);
        steady();
      }
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** @param {string} gameId @param {import("./events.js").Message} message @param {Listener} listener */
async function taken(gameId, message, listener) {
  const data = JSON.parse(message.data);
  if (message.event === "presence") listener.presence(data.devices);
  if (message.event !== "entry" || data.entry.seq <= listener.seq()) return;
  if (data.entry.seq > listener.seq() + 1) {
    for (const { table, result, ...entry } of await readLog(gameId, { after: listener.seq(), tables: true })) {
      if (entry.seq === listener.seq() + 1) listener.entry({ entry, table, result });
    }
  }
  if (data.entry.seq === listener.seq() + 1) listener.entry(data);
}

/** @param {number} ms @param {AbortSignal} signal */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve(undefined);
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
