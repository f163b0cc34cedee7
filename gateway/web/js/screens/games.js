// All games: going on, over, and those in the bin, which can be taken back out.

import { listGames, restoreGame } from "../api/games.js";
import { choice } from "../parts/fields.js";
import { gameLink } from "../parts/game-link.js";
import { empty, page } from "../parts/page.js";
import { doing } from "../ui/doing.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { list, t } from "../ui/i18n.js";
import { render } from "../ui/morph.js";

/** @type {Record<string, (game: any) => boolean>} */
const KINDS = {
  all: () => true,
  running: (game) => game.table.status !== "finished",
  over: (game) => game.table.status === "finished",
  bin: () => true,
};

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  let kind = "all";

  async function load() {
    const games = (await listGames(kind === "bin" ? { bin: true } : {})).filter(KINDS[kind]);
    if (!signal.aborted) draw(games);
  }

  /** @param {any[]} games */
  function draw(games) {
    const kinds = Object.keys(KINDS).map((it) => /** @type {[string, string]} */ ([it, t(`games.${it}`)]));
    const chosen = (/** @type {string} */ it) => {
      kind = it;
      doing(load)();
    };
    const items = games.map((it) => (kind === "bin" ? binned(it, load) : gameLink(it)));
    render(
      root,
      page(
        { title: t("games.title"), back: "/" },
        choice(t("games.which"), "kind", kinds, kind, chosen),
        games.length ? h("ul", { class: "cards", key: kind }, items) : empty(t("games.none")),
      ),
    );
  }
  await load();
}

/** @param {any} game @param {() => Promise<void>} changed */
function binned(game, changed) {
  const restore = doing(async () => {
    await restoreGame(game.id);
    await changed();
  });
  const names = list(game.players.map((/** @type {any} */ it) => it.name || "–"));
  return h(
    "li",
    { class: "card", key: game.id },
    h("span", null, h("strong", null, names), h("small", null, t("game.binned"))),
    button(t("games.restore"), restore, "small"),
  );
}
