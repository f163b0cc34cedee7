// The end of a game: the one number that counts, and the next game with the same people.

import { guest } from "../api/session.js";
import { again } from "./again.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { number, t } from "../ui/i18n.js";

/** @param {any} game */
export function resultPanel(game) {
  const remaining = game.result?.remaining ?? game.table.remaining;
  const rating = game.result?.rating ?? "counted";
  const more = [h("a", { class: "button plain", href: `/games/${game.id}/replay` }, t("menu.replay"))];
  if (!guest(game.id)) {
    more.unshift(button(t("result.again"), () => again(game), "primary"));
    more.push(h("a", { class: "button plain", href: "/stats" }, t("nav.stats")));
  }
  return h(
    "section",
    { class: `result ${rating}`, key: "result" },
    h("p", { class: "result-number" }, number(remaining)),
    h("p", { class: "result-what" }, t("result.left", { n: remaining })),
    h("p", { class: "result-rating" }, t(`result.${rating}`)),
    h("div", { class: "result-next" }, more),
  );
}
