// Sends what was entered, in order and once: one tab at a time, until the journal has nothing left.

import { exclusively } from "./locks.js";
import { act, sync } from "../api/games.js";
import { Refusal, said, SignedOut } from "../api/problems.js";
import { reasonsFor } from "../api/reasons.js";
import { GUEST, hasPlus, isOwner, me } from "../api/session.js";
import { deviceName } from "../ui/preferences.js";
import { append, clear, keptGame, readJournal } from "./journal.js";

/**
 * @typedef {import("./journal.js").Place} Place
 * @typedef {import("./fold.js").Journal} Journal
 * @typedef {import("./fold.js").Action} Action
 * @typedef {{judged: {action: Action, outcome: any}[], game: any}} Answered a refused outcome has a `reason`
 * @typedef {(answered: Answered) => void} Told
 */

/** At most so many at once. */
const AT_ONCE = 200;

/**
 * @param {Place} place
 * @param {Set<string>} fresh ids of actions entered just now, with the game as it is on the screen
 * @param {Told} [told]
 * @returns {Promise<void>} once nothing is left to send; throws `Unreachable`, `SignedOut` and `Refusal`
 */
export function send(place, fresh, told = () => {}) {
  return exclusively(`send-${place.id}`, async () => {
    for (;;) {
      const journal = await readJournal(place);
      if (!journal.pending.length || journal.overtaken) break;
      try {
        // Somebody else is signed in by now
        if (![GUEST, me()].includes(place.owner)) throw new SignedOut();
        await some(place, journal, journal.pending.every((it) => fresh.has(it.id)), told);
      } catch (error) {
        fresh.clear();
        throw error;
      }
    }
    await clear(place);
  });
}

/** @param {Place} place @param {Journal} journal @param {boolean} isFresh @param {Told} told */
async function some(place, journal, isFresh, told) {
  const isBranch = !isFresh && !journal.anyway && (hasPlus() || !isOwner((await keptGame(place)) ?? place));
  if (isBranch && (await asBranch(place, journal, told))) return;
  const actions = journal.pending.slice(0, AT_ONCE);
  const version = isFresh || journal.anyway ? undefined : journal.version;
  try {
    await answered(place, actions, await act(place.id, actions, version, deviceName()), told);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { document } = error;
    if (document.outcomes?.length) await answered(place, actions, document, told);
    else if (error.code === "version_conflict" && version !== undefined) {
      await append(place, { overtaken: { version: document.version, missed: document.missed?.length ?? 1 } });
    } else if (error.status === 422 || error.code === "action_id_reused") {
      // The whole request makes no sense to the gateway: it would stand in the way of all that follow.
      const reason = said(error);
      const refused = actions.map((it) => ({ action_id: it.id, verdict: "rejected", code: error.code, reason }));
      await answered(place, actions, { version: journal.version, outcomes: refused }, told);
    } else throw error;
  }
}

/**
 * With Plus: as one branch, which the gateway settles.
 * @param {Place} place @param {Journal} journal @param {Told} told
 * @returns {Promise<boolean>} whether it took it
 */
async function asBranch(place, journal, told) {
  const device = journal.device ?? deviceName();
  if (!journal.device) await append(place, { device });
  const branch = [...journal.branch, ...journal.pending];
  try {
    const answer = await sync(place.id, device, journal.base_version, branch);
    if (!answer.conflict) await answered(place, branch, answer, told);
    else {
      const refused = answer.outcomes.filter((/** @type {any} */ it) => it.verdict === "rejected");
      const ids = branch.map((it) => it.id);
      await answered(place, journal.pending, { ...answer, version: journal.base_version, outcomes: refused }, told, {
        conflict: { id: answer.conflict.id, ids, branch },
      });
    }
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "plus_required") return false;
    throw error;
  }
}

/** @param {Place} place @param {Action[]} actions @param {any} answer @param {Told} told @param {...any} more lines */
async function answered(place, actions, answer, told, ...more) {
  const reasons = await reasonsFor(answer.outcomes, answer);
  const judged = answer.outcomes.flatMap((/** @type {any} */ it) => {
    const action = actions.find(({ id }) => id === it.action_id);
    return action ? [{ action, outcome: { reason: reasons.get(it.code), ...it } }] : [];
  });
  told({ judged, game: answer.game });
  const outcomes = judged.map((/** @type {any} */ { outcome: { action_id, verdict, code, reason } }) => (
    { action_id, verdict, code, reason }
  ));
  await append(place, { answered: { version: answer.version, outcomes } }, ...more);
}
