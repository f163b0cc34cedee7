// The end of a game: the one number that counts, and the next game with the same people.

import { guest } from "../api/session.js";
import { again } from "./again.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { number, t } from "../ui/i18n.js";

/** @param {any} game @param {import("../table/projection.js").View} view */
export function resultPanel(game, { table, isAhead }) {
  const { remaining } = table;
  const rating = isAhead ? null : (game.result?.rating ?? "counted");
  const more = [h("a", { class: "button plain", href: `/games/${game.id}/replay` }, t("menu.replay"))];
  if (!guest(game.id)) {
    if (rating) more.unshift(button(t("result.again"), () => again(game), "primary"));
    more.push(h("a", { class: "button plain", href: "/stats" }, t("nav.stats")));
  }
  return h(
    "section",
    { class: `result ${rating ?? ""}`, key: "result" },
    h("p", { class: "result-number" }, number(remaining)),
    h("p", { class: "result-what" }, t("result.left", { n: remaining })),
    h("p", { class: "result-rating" }, rating ? t(`result.${rating}`) : t("pending.mark")),
    h("div", { class: "result-next" }, more),
  );
}
