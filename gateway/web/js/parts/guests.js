// The games that this device was invited to.

import { guests } from "../api/session.js";
import { h } from "../ui/dom.js";
import { moment, t } from "../ui/i18n.js";
import { section } from "./page.js";

export function guestGames() {
  const known = Object.values(guests());
  const items = known.map((it) => h(
    "li",
    null,
    h(
      "a",
      { class: "game-link", href: `/games/${it.game_id}` },
      h(
        "span",
        null,
        h("strong", null, t(`role.${it.role}`)),
        h("small", null, ` ${t("share.until", { until: moment(it.expires_at) })}`),
      ),
    ),
  ));
  return known.length ? section(t("join.known"), h("ul", { class: "cards" }, items)) : null;
}
