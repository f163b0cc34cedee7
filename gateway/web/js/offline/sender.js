// Sends what was entered, in order and once: one tab at a time, until the journal has nothing left.

import { exclusively } from "./locks.js";
import { act, sync } from "../api/games.js";
import { Refusal, said } from "../api/problems.js";
import { guest, hasPlus } from "../api/session.js";
import { deviceName } from "../ui/preferences.js";
import { append, clear, readJournal } from "./journal.js";

/**
 * @typedef {import("./fold.js").Journal} Journal
 * @typedef {import("./fold.js").Action} Action
 * @typedef {{actions: Action[], outcomes: any[], game: any, version: number}} Answered
 */

/** At most so many at once. */
const AT_ONCE = 200;

/**
 * @param {string} gameId
 * @param {Set<string>} fresh ids of actions entered just now, with the game as it is on the screen
 * @param {(answered: Answered) => void} [told]
 * @returns {Promise<void>} once nothing is left to send; throws `Unreachable`, `SignedOut` and `Refusal`
 */
export function send(gameId, fresh, told = () => {}) {
  return exclusively(`send-${gameId}`, async () => {
    for (;;) {
      const journal = await readJournal(gameId);
      if (!journal.pending.length || journal.overtaken) break;
      try {
        await some(gameId, journal, journal.pending.every((it) => fresh.has(it.id)), told);
      } catch (error) {
        fresh.clear();
        throw error;
      }
    }
    await clear(gameId);
  });
}

/** @param {string} gameId @param {Journal} journal @param {boolean} isFresh @param {(answered: Answered) => void} told */
async function some(gameId, journal, isFresh, told) {
  if (!isFresh && !journal.anyway && (hasPlus() || guest(gameId)) && (await asBranch(gameId, journal, told))) return;
  const actions = journal.pending.slice(0, AT_ONCE);
  const version = isFresh || journal.anyway ? undefined : journal.version;
  try {
    const answer = await act(gameId, actions, version, deviceName());
    await answered(gameId, actions, answer, told);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { document } = error;
    if (document.outcomes?.length) await answered(gameId, actions, document, told, said(error));
    else if (error.code === "version_conflict" && version !== undefined) {
      await append(gameId, { overtaken: { version: document.version, missed: document.missed?.length ?? 1 } });
    } else if (error.passes || error.status === 401 || error.code === "version_conflict") throw error;
    else await refuseAll(gameId, actions, journal.version, error);
  }
}

/** With Plus: as one branch, which the gateway settles. @returns {Promise<boolean>} whether it took it */
async function asBranch(/** @type {string} */ gameId, /** @type {Journal} */ journal, /** @type {any} */ told) {
  const device = journal.device ?? deviceName();
  if (!journal.device) await append(gameId, { device });
  try {
    const answer = await sync(gameId, device, journal.base_version, journal.pending);
    const ids = journal.pending.map((it) => it.id);
    if (answer.conflict) await append(gameId, { conflict: { id: answer.conflict.id, ids } });
    else await answered(gameId, journal.pending, answer, told);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "plus_required") return false;
    throw error;
  }
}

/** @param {string} gameId @param {Action[]} actions @param {any} answer @param {any} told @param {string} [reason] */
async function answered(gameId, actions, answer, told, reason = "") {
  const outcomes = answer.outcomes.map((/** @type {any} */ it, /** @type {number} */ index) => ({
    action_id: it.action_id ?? actions[index].id,
    verdict: it.verdict,
    code: it.code,
    reason,
  }));
  told({ actions, outcomes: answer.outcomes, game: answer.game, version: answer.version });
  await append(gameId, { answered: { version: answer.version, outcomes } });
}

/** The whole request makes no sense to the gateway: it would stand in the way of all that follow. */
async function refuseAll(
  /** @type {string} */ gameId,
  /** @type {Action[]} */ actions,
  /** @type {number} */ version,
  /** @type {Refusal} */ error,
) {
  const outcomes = actions.map(
    (it) => ({ action_id: it.id, verdict: "rejected", code: error.code, reason: said(error) }),
  );
  await append(gameId, { answered: { version, outcomes } });
}
