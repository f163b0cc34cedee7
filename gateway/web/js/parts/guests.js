// The games that this device was invited to.

import { guests } from "../api/session.js";
import { listed } from "./page.js";
import { h, moment, t } from "../ui/screen.js";

export function guestGames() {
  const items = Object.values(guests()).map((it) => h(
    "li",
    h(
      "a.game-link",
      { href: `/games/${it.game_id}` },
      h(
        "span",
        h("strong", t(`role.${it.role}`)),
        h("small", ` ${t("share.until", { until: moment(it.expires_at) })}`),
      ),
    ),
  ));
  return listed(t("join.known"), items);
}
