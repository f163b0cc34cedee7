// How a group is getting on: figures over finished games, drawn and as tables.

import { listPlayers } from "../api/people.js";
import { exported, results, stats, yardstick } from "../api/results.js";
import { empty, page, section } from "../parts/page.js";
import { byPlayers, bySaved, distribution, history, numbers, strategies } from "../parts/statistics.js";
import { saveAs } from "../ui/saving.js";
import { button, doing, h, render, t } from "../ui/screen.js";

const LATEST = 200;
const WIDEST = 1088;
const EXPORTS = /** @type {const} */ ([
  ["CSV", "text/csv", "csv"],
  ["NDJSON", "application/x-ndjson", "ndjson"],
  ["Parquet", "application/vnd.apache.parquet", "parquet"],
]);

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  const [all, players, kinds, saved, finished, measure, people] = await Promise.all([
    stats({}),
    stats({ by: "players" }),
    stats({ by: "players,difficulty,reduced_hand" }),
    stats({ by: "player" }),
    results(LATEST),
    yardstick(),
    listPlayers(true),
  ]);
  if (signal.aborted) return;
  const draw = () => {
    const width = Math.min(WIDEST, document.documentElement.clientWidth - 32) - 34;
    const half = document.documentElement.clientWidth >= 900 ? width / 2 - 20 : width;
    render(root, page({ title: t("nav.stats"), wide: true }, content(half)));
  };
  /** @param {number} width */
  const content = (width) => {
    const [row] = all;
    if (!row?.games) return empty(t("stats.none"), h("a.button.primary", { href: "/new" }, t("new.title")));
    return [
      numbers(row),
      h(
        "div.figures",
        distribution(row, width),
        finished.length ? history(finished, width) : null,
        players.length ? byPlayers(players, width) : null,
        saved.length ? bySaved(saved, people, width) : null,
        strategies(measure, kinds, width),
      ),
      section(
        t("stats.export"),
        h(
          "div.row",
          EXPORTS.map(
            ([name, type, ending]) => button(
              name,
              doing(async () => saveAs(`ninety-eight.${ending}`, await exported(type))),
            ),
          ),
        ),
      ),
    ];
  };
  draw();
  window.addEventListener("resize", draw, { signal });
}
