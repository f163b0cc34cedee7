// What the lines of a journal tell about a game's entries on this device: pure, no clock, no storage.

/**
 * @typedef {{id: string, type: string, pile?: string, card?: number, confirmed?: boolean, target?: string,
 *   at?: string}} Action
 * @typedef {{action: Action, code: string, reason: string}} Refused
 * @typedef {{base_version: number, pending: Action[], refused: Refused[], conflict: string | null,
 *   overtaken: {version: number, missed: number} | null, anyway: boolean, version: number, device: string | null,
 *   branch: Action[]}} Journal `branch` is what went before the pending ones and is in conflict
 */

/**
 * Lines: `base` begins, `action` is an entry, `answered` what the gateway said of some, `overtaken` that the game
 * went on without them, `anyway` that they are wanted nevertheless, `conflict` that the table is asked,
 * `dismissed` what a person does not want any more.
 * @param {any[]} lines in the order of writing
 * @returns {Journal}
 */
export function fold(lines) {
  /** @type {Journal} */
  const found = {
    base_version: 0,
    version: 0,
    pending: [],
    refused: [],
    conflict: null,
    overtaken: null,
    anyway: false,
    device: null,
    branch: [],
  };
  for (const line of lines) take(found, line);
  return found;
}

/** @param {Journal} found @param {any} line */
function take(found, line) {
  if (line.base) {
    found.base_version = found.version = line.base.version;
    found.overtaken = null;
    found.anyway = false;
    found.branch = [];
  } else if (line.action) found.pending.push(line.action);
  else if (line.device) found.device = line.device;
  else if (line.answered) answered(found, line.answered);
  else if (line.overtaken) found.overtaken = line.overtaken;
  else if (line.anyway) {
    found.anyway = true;
    found.overtaken = null;
  } else if (line.conflict) {
    found.conflict = line.conflict.id;
    found.branch = line.conflict.branch ?? [];
    found.pending = without(found.pending, line.conflict.ids);
  } else if (line.dismissed) {
    found.pending = without(found.pending, line.dismissed);
    found.refused = found.refused.filter((it) => !line.dismissed.includes(it.action.id));
    if (!found.pending.length) found.overtaken = null;
    if (line.dismissed.includes(found.conflict)) found.conflict = null;
  }
}

/** @param {Journal} found @param {{version: number, outcomes: any[]}} told */
function answered(found, told) {
  // What is entered after the question and before the answer goes on from what was answered.
  found.version = found.base_version = told.version;
  for (const { action_id, verdict, code, reason } of told.outcomes) {
    const action = found.pending.find((it) => it.id === action_id);
    if (action && verdict === "rejected") found.refused.push({ action, code, reason });
  }
  found.pending = without(
    found.pending,
    told.outcomes.map((it) => it.action_id),
  );
}

/** @param {Action[]} actions @param {string[]} ids */
const without = (actions, ids) => actions.filter((it) => !ids.includes(it.id));

/** Whether nothing in it is of use any more. @param {Journal} journal */
export const isDone = (journal) => !journal.pending.length && !journal.refused.length && !journal.conflict;
