// All games: going on, over, and those in the bin, which can be taken back out; as many as somebody wants to see.

import { listGames, restoreGame } from "../api/games.js";
import { me } from "../api/session.js";
import { openJournals } from "../offline/journal.js";
import { choice } from "../parts/fields.js";
import { gameLink } from "../parts/game-link.js";
import { cards, empty, page } from "../parts/page.js";
import { namesOf } from "../table/words.js";
import { button, doing, h, render, t } from "../ui/screen.js";

const AT_ONCE = 100;
/** @type {Record<string, {query?: any, fits?: (game: any) => boolean}>} */
const KINDS = {
  all: {},
  running: { fits: (game) => game.table.status !== "finished" },
  over: { query: { status: "finished" } },
  bin: { query: { bin: true } },
};

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  let kind = "all";
  /** @type {any[]} */
  let games = [];
  const waiting = await openJournals(me()).catch(() => []);

  /** @param {string | null} [cursor] of the page to go on with */
  async function load(cursor) {
    const asked = kind;
    const { query, fits = () => true } = KINDS[kind];
    const found = await listGames({ limit: AT_ONCE, ...query, cursor });
    if (signal.aborted || asked !== kind) return;
    games = [...(cursor ? games : []), ...found.items.filter(fits)];
    draw(found.next_cursor);
  }

  /** @param {string | null} cursor */
  function draw(cursor) {
    const kinds = Object.keys(KINDS).map((it) => /** @type {[string, string]} */ ([it, t(`games.${it}`)]));
    const chosen = (/** @type {string} */ it) => {
      kind = it;
      doing(load)();
    };
    const items = games.map((it) => (kind === "bin" ? binned(it, load) : gameLink(it, waiting.includes(it.id))));
    render(
      root,
      page(
        { title: t("games.title"), back: "/" },
        choice(t("games.which"), "kind", kinds, kind, chosen),
        items.length || cursor ? cards(items) : empty(t("games.none")),
        cursor ? button(t("games.more"), doing(() => load(cursor))) : null,
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
  return h(
    "li.card",
    { key: game.id },
    h("span", h("strong", namesOf(game)), h("small", t("game.binned"))),
    button(t("games.restore"), restore, "small"),
  );
}
