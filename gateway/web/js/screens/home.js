// The front page: for strangers what this is and how to begin, for the others their games and the next one.

import { listGames } from "../api/games.js";
import { passes } from "../api/problems.js";
import { account, isOwner, me } from "../api/session.js";
import { keptGames, openJournals } from "../offline/journal.js";
import { again } from "../parts/again.js";
import { gameLink } from "../parts/game-link.js";
import { guestGames } from "../parts/guests.js";
import { empty, listed, page, section } from "../parts/page.js";
import { groups } from "../table/groups.js";
import { namesOf } from "../table/words.js";
import { button, h, render, t } from "../ui/screen.js";
import { welcome } from "./welcome.js";

const SHOWN = 6;

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  if (!account()) return welcome(root);
  /** @param {any[]} games @param {boolean} isKept */
  const draw = (games, isKept) => {
    if (!signal.aborted) render(root, page({ title: t("nav.home") }, ...view(games, isKept, waiting)));
  };
  const waiting = await openJournals(me()).catch(() => []);
  const kept = (await keptGames()).filter(
    (it) => !it.binned_at,
  ).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  if (kept.length) draw(kept, false);
  try {
    draw((await listGames({ limit: 60 })).items, false);
  } catch (error) {
    if (!passes(error)) throw error;
    draw(kept, true);
  }
}

/** @param {any[]} games @param {boolean} isKept @param {string[]} waiting ids of games that ask for somebody */
function view(games, isKept, waiting) {
  const link = (/** @type {any} */ it) => gameLink(it, waiting.includes(it.id));
  const running = games.filter((it) => it.table.status !== "finished").slice(0, 3);
  const known = groups(games.filter(isOwner)).slice(0, 3);
  return [
    isKept ? h("p.strip.waiting", t("offline.nothing")) : null,
    listed(t("games.running"), running.map(link)),
    known.length ? section(t("home.again"), h("div.stack", known.map(groupButton))) : null,
    h("a.button.primary.big.sticky", { href: "/new" }, t("new.title")),
    games.length ? null : empty(t("home.none")),
    listed(t("home.last"), games.filter((it) => !running.includes(it)).slice(0, SHOWN).map(link)),
    guestGames(),
    h("p.row", h("a", { href: "/games" }, t("games.title")), h("a", { href: "/join" }, t("join.title"))),
  ];
}

/** @param {{players: any[], options: any}} group */
function groupButton(group) {
  return button(
    [h("strong", namesOf(group)), h("small", optionsText(group.options))],
    () => again(group),
    "group",
  );
}

/** @param {any} options */
function optionsText({ difficulty, reduced_hand }) {
  const parts = [t(`difficulty.${difficulty ?? "normal"}`), reduced_hand ? t("reduced.short") : ""];
  return parts.filter(Boolean).join(" · ");
}
