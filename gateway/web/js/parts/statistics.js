// The figures of a group, each as a drawing and as a table.

import { bars, histogram, run } from "./charts.js";
import { figure } from "./figure.js";
import { h, moment, number, percent, t } from "../ui/screen.js";

/** @param {number} value */
const mean = (value) => number(value, { maximumFractionDigits: 1 });

/** The few numbers that matter most. @param {any} row */
export function numbers(row) {
  const all = [
    [t("stats.games"), number(row.games)],
    [t("stats.wins"), percent(row.win_rate)],
    [t("stats.excellent"), percent(row.excellent_rate)],
    [t("stats.mean"), mean(row.mean_remaining)],
  ];
  return h(
    "dl.numbers",
    all.map(([name, value]) => h("div", h("dt", name), h("dd", value))),
  );
}

/** @param {any} row @param {number} width */
export function distribution(row, width) {
  const last = Math.max(20, row.histogram.findLastIndex((/** @type {number} */ it) => it > 0) + 1);
  const counts = row.histogram.slice(0, last);
  const rows = counts.flatMap(
    (/** @type {number} */ count, /** @type {number} */ left) => (count ? [[number(left), number(count)]] : []),
  );
  return figure(t("stats.histogram"), histogram(
    width,
    t("stats.histogram"),
    counts,
    (it) => (it < 10 ? "good" : ""),
  ), {
    head: [t("stats.left"), t("stats.games")],
    rows,
  });
}

/** @param {any[]} finished newest first @param {number} width */
export function history(finished, width) {
  const ordered = finished.map(
    (it) => ({ left: it.remaining ?? it.result?.remaining, at: it.confirmed_at ?? it.result?.confirmed_at }),
  ).reverse();
  return figure(t("stats.history"), run(width, t("stats.history"), ordered.map((it) => it.left)), {
    head: [t("stats.when"), t("stats.left")],
    rows: ordered.map((it) => [it.at ? moment(it.at) : "", number(it.left)]),
  });
}

/** @param {any[]} rows @param {number} width */
export const byPlayers = (rows, width) => rates(
  t("stats.by_players"),
  t("stats.players"),
  rows,
  (it) => t("stats.n_players", { n: Number(it.players) }),
  width,
);

/** @param {any[]} rows @param {any[]} people @param {number} width */
export function bySaved(rows, people, width) {
  const names = new Map(people.map((it) => [it.id, it.name]));
  const name = (/** @type {any} */ it) => names.get(it.player_id) ?? it.name ?? t("stats.unknown");
  return rates(t("stats.by_player"), t("stats.player"), rows, name, width);
}

/** @param {string} title @param {string} key @param {any[]} rows @param {(row: any) => string} name @param {number} width */
function rates(title, key, rows, name, width) {
  const items = rows.map(
    (it) => ({
      name: name(it),
      share: it.win_rate,
      shown: `${percent(it.win_rate)} · ${t("stats.n_games", { n: it.games })}`,
    }),
  );
  return figure(title, bars(width, title, items), {
    head: [key, t("stats.games"), t("stats.wins"), t("stats.excellent"), t("stats.mean")],
    rows: rows.map(
      (it) => [name(it), number(it.games), percent(it.win_rate), percent(it.excellent_rate), mean(it.mean_remaining)],
    ),
  });
}

/**
 * Simulated players beside the group, in the kind of game that it plays most.
 * @param {any} measure @param {any[]} kinds rows by players, difficulty and reduced hand @param {number} width
 */
export function strategies(measure, kinds, width) {
  const [own] = [...kinds].sort((a, b) => b.games - a.games);
  const isAlike = (/** @type {any} */ it) =>
    it.players === own?.players && it.difficulty === own.difficulty && it.reduced_hand === own.reduced_hand;
  const simulated = measure.items.filter(isAlike);
  if (!simulated.length) return null;
  const rows = [{ ...own, name: t("stats.you") }];
  for (const it of simulated) rows.push({ ...it, name: t(`strategy.${it.strategy}`) });
  const kind = [t("stats.n_players", { n: own.players }), t(`difficulty.${own.difficulty}`)];
  const title = `${t("stats.yardstick")} (${kind.join(", ")})`;
  const items = rows.map((it) => ({ name: it.name, share: it.mean_remaining / 98, shown: mean(it.mean_remaining) }));
  return figure(title, bars(width, title, items), {
    head: [t("stats.who"), t("stats.mean"), t("stats.wins")],
    rows: rows.map((it) => [it.name, mean(it.mean_remaining), percent(it.win_rate)]),
  });
}
