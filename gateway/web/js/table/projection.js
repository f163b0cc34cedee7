// A table with what was entered since: how it is shown until the gateway has answered. It judges nothing.

/**
 * @typedef {import("../offline/fold.js").Action} Action
 * @typedef {{table: any, pending: Set<string>, isAhead: boolean, isSeatKnown: boolean, areCountsKnown: boolean,
 *   undo: {target: string, type: string} | null, redo: {target: string, type: string} | null}} View
 * `pending` names the piles whose top waits for an answer.
 */

/**
 * @param {any} game as the gateway last told it
 * @param {Action[]} actions entered since, not answered yet
 * @returns {View}
 */
export function project(game, actions) {
  const view = {
    table: structuredClone(game.table),
    pending: new Set(),
    isAhead: actions.length > 0,
    isSeatKnown: true,
    areCountsKnown: true,
    ...standing(game, actions),
  };
  for (const action of withoutUndone(actions, view)) step(view, action);
  return view;
}

/** @param {any} view @param {Action} action */
function step(view, action) {
  const { table } = view;
  const seat = table.active_seat;
  if (action.type === "play" && action.pile && table.piles[action.pile]) {
    const pile = table.piles[action.pile];
    Object.assign(pile, { top: action.card ?? null, playable: [], uncertain: [] });
    view.pending.add(action.pile);
    if (action.card) table.played.push(action.card);
    table.played_this_turn += 1;
    if (view.isSeatKnown) table.hands[seat] = Math.max(0, table.hands[seat] - 1);
    table.remaining = Math.max(0, table.remaining - 1);
  } else if (action.type === "draw") {
    table.phase = "drawn";
    view.areCountsKnown = false;
  } else if (action.type === "end_turn") {
    Object.assign(table, { phase: "play", played_this_turn: 0, turn: table.turn + 1 });
    view.isSeatKnown = view.areCountsKnown = false;
  } else if (action.type === "block") table.status = "blocked";
  else if (action.type === "confirm") table.status = "finished";
}

/**
 * What is left to show of actions some of which take back others; one that takes back something answered makes the
 * counts unknown.
 * @param {Action[]} actions @param {any} view @returns {Action[]}
 */
function withoutUndone(actions, view) {
  /** @type {Action[]} */
  const done = [];
  /** @type {Action[]} */
  const undone = [];
  for (const action of actions) {
    if (action.type !== "undo" && action.type !== "redo") {
      done.push(action);
      undone.length = 0;
      continue;
    }
    const [from, to] = action.type === "undo" ? [done, undone] : [undone, done];
    const moved = from.pop();
    if (moved) to.push(moved);
    else view.areCountsKnown = view.isSeatKnown = false;
  }
  return done;
}

/**
 * What undo and redo would take next.
 * @param {any} game @param {Action[]} actions
 */
export function standing(game, actions) {
  const done = game.undo ? [game.undo] : [];
  const undone = game.redo ? [game.redo] : [];
  for (const { id, type } of actions) {
    if (type === "undo" || type === "redo") {
      const [from, to] = type === "undo" ? [done, undone] : [undone, done];
      const moved = from.pop();
      if (moved) to.push(moved);
    } else {
      done.push({ target: id, type });
      undone.length = 0;
    }
  }
  return { undo: done.at(-1) ?? null, redo: undone.at(-1) ?? null };
}

/** What undo and redo take after an entry; null where only the gateway can say. @param {Action} action */
export const referencesAfter = ({ id, type }) =>
  /^(play|draw|end_turn|block|confirm)$/.test(type) ? { undo: { target: id, type }, redo: null } : null;
