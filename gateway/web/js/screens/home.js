// The front page: for strangers what this is and how to begin, for the others their games and the next one.

import { listGames } from "../api/games.js";
import { passes } from "../api/problems.js";
import { account, me } from "../api/session.js";
import { again } from "../parts/again.js";
import { gameLink } from "../parts/game-link.js";
import { guestGames } from "../parts/guests.js";
import { empty, page, section } from "../parts/page.js";
import { keptGames, openJournals } from "../offline/journal.js";
import { groups } from "../table/groups.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { list, t } from "../ui/i18n.js";
import { render } from "../ui/morph.js";
import { welcome } from "./welcome.js";

const SHOWN = 6;

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  if (!account()) return welcome(root);
  /** @param {any[]} games @param {boolean} isKept */
  const draw = (games, isKept) => {
    if (!signal.aborted) render(root, page({ title: t("home.title") }, ...view(games, isKept, waiting)));
  };
  const waiting = await openJournals(me()).catch(() => []);
  const kept = (await keptGames()).filter(
    (it) => !it.binned_at,
  ).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  if (kept.length) draw(kept, false);
  try {
    draw(await listGames({}, 60), false);
  } catch (error) {
    if (!passes(error)) throw error;
    draw(kept, true);
  }
}

/** @param {any[]} games @param {boolean} isKept @param {string[]} waiting ids of games that ask for somebody */
function view(games, isKept, waiting) {
  const link = (/** @type {any} */ it) => gameLink(it, waiting.includes(it.id));
  const running = games.filter((it) => it.table.status !== "finished").slice(0, 3);
  const known = groups(games).slice(0, 3);
  return [
    isKept ? h("p", { class: "strip waiting" }, t("offline.nothing")) : null,
    running.length ? section(t("home.running"), h("ul", { class: "cards" }, running.map(link))) : null,
    known.length ? section(t("home.again"), h("div", { class: "stack" }, known.map(groupButton))) : null,
    h("a", { class: "button primary big", href: "/new" }, t("home.new")),
    games.length ? section(
      t("home.last"),
      h("ul", { class: "cards" }, games.filter((it) => !running.includes(it)).slice(0, SHOWN).map(link)),
    ) : empty(t("home.none")),
    guestGames(),
    h("p", { class: "row" }, h("a", { href: "/games" }, t("home.all")), h("a", { href: "/join" }, t("join.title"))),
  ];
}

/** @param {{players: any[], options: any}} group */
function groupButton(group) {
  const names = list(group.players.map((it, seat) => it.name || t("seat.nameless", { n: seat + 1 })));
  return button(
    [h("strong", null, names), h("small", null, optionsText(group.options))],
    () => again(group),
    "group",
  );
}

/** @param {any} options */
function optionsText({ difficulty, reduced_hand }) {
  const parts = [t(`difficulty.${difficulty ?? "normal"}`), reduced_hand ? t("reduced.short") : ""];
  return parts.filter(Boolean).join(" · ");
}
