// A game in a list: who played, when, and how it stands or ended.

import { h } from "../ui/dom.js";
import { list, moment, number, t } from "../ui/i18n.js";

/** @param {any} game @param {boolean} [isWaiting] whether entries of this device are not taken yet */
export function gameLink(game, isWaiting = false) {
  const names = game.players.map(
    (/** @type {any} */ it, /** @type {number} */ seat) => it.name || t("seat.nameless", { n: seat + 1 }),
  );
  const isOver = game.table.status === "finished";
  const remaining = game.result?.remaining ?? game.table.remaining;
  return h(
    "li",
    { key: game.id },
    h(
      "a",
      { class: `game-link${isOver ? " over" : ""}`, href: `/games/${game.id}` },
      h("span", { class: "game-number" }, number(remaining)),
      h(
        "span",
        { class: "game-what" },
        h("strong", null, list(names)),
        isWaiting ? h("small", { class: "waits" }, t("game.waits")) : null,
        h(
          "small",
          null,
          `${isOver ? t("game.over", { n: remaining }) : t("game.running", { n: remaining })} · ${moment(game.updated_at)}`,
        ),
      ),
    ),
  );
}
