// A game in a list: who played, when, and how it stands or ended.

import { roleIn } from "../api/session.js";
import { namesOf } from "../table/words.js";
import { h, moment, number, t } from "../ui/screen.js";

/** @param {any} game @param {boolean} [isWaiting] whether entries of this device are not taken yet */
export function gameLink(game, isWaiting = false) {
  const role = roleIn(game);
  const isOver = game.table.status === "finished";
  const remaining = game.result?.remaining ?? game.table.remaining;
  return h(
    "li",
    { key: game.id },
    h(
      "a",
      { class: `game-link${isOver ? " over" : ""}`, href: `/games/${game.id}` },
      h("span.game-number", number(remaining)),
      h(
        "span.game-what",
        h("strong", namesOf(game)),
        isWaiting ? h("small.waits", t("game.waits")) : null,
        role === "owner" ? null : h("small", t("game.shared", { role: t(`role.${role}`) })),
        h(
          "small",
          `${isOver ? t("game.over", { n: remaining }) : t("game.running", { n: remaining })} · ${moment(game.updated_at)}`,
        ),
      ),
    ),
  );
}
