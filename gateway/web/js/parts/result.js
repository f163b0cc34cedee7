// The end of a game: the one number that counts, and the next game with the same people.

import { guest, isOwner } from "../api/session.js";
import { again } from "./again.js";
import { button, h, number, t } from "../ui/screen.js";

/** @param {any} game @param {import("../table/projection.js").View} view */
export function resultPanel(game, { table, isAhead }) {
  const { remaining } = table;
  const rating = isAhead ? null : (game.result?.rating ?? "counted");
  const more = [h("a.button", { href: `/games/${game.id}/replay` }, t("menu.replay"))];
  if (rating && isOwner(game)) more.unshift(button(t("result.again"), () => again(game), "primary"));
  if (!guest(game.id)) more.push(h("a.button", { href: "/stats" }, t("nav.stats")));
  return h(
    "section",
    { class: `result ${rating ?? ""}`, key: "result" },
    h("p.result-number", number(remaining)),
    h("p.result-what", t("result.left", { n: remaining })),
    h("p.result-rating", rating ? t(`result.${rating}`) : t("pending.mark")),
    h("div.result-next", more),
  );
}
