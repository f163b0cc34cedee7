// Who has played together, the latest first: pure.

/** @param {any[]} games newest first @returns {{players: any[], options: any}[]} */
export function groups(games) {
  const found = new Map();
  for (const { players, options } of games) {
    const key = JSON.stringify([players.map(keyOf), options.difficulty, options.reduced_hand]);
    if (!found.has(key) && players.every((/** @type {any} */ it) => it.name)) found.set(key, { players, options });
  }
  return [...found.values()];
}

/** @param {{player_id?: string | null, name: string}} player */
const keyOf = ({ player_id, name }) => player_id ?? name;
