// The games that this device was invited to, and leaving them.

import { GUEST, guests, keepGuest } from "../api/session.js";
import { dropGame } from "../offline/journal.js";
import { arrive } from "../router.js";
import { listed } from "./page.js";
import { agreed, button, h, moment, t } from "../ui/screen.js";

export function guestGames() {
  const leave = async (/** @type {string} */ id) => (await forgetInvitation(id)) && arrive();
  const items = Object.values(guests()).map((it) => h(
    "li.card",
    h(
      "a",
      { href: `/games/${it.game_id}` },
      h("strong", it.names ?? t(`role.${it.role}`)),
      h("small", `${it.names ? `${t(`role.${it.role}`)} · ` : ""}${t("share.until", { until: moment(it.expires_at) })}`),
    ),
    button(t("leave.yes"), () => leave(it.game_id), "small"),
  ));
  return listed(t("join.known"), items);
}

/** After a question; what was entered and not sent stays. @param {string} id @returns {Promise<boolean>} whether it is */
export async function forgetInvitation(id) {
  if (!(await agreed(t("leave.title"), t("leave.guest"), t("leave.yes")))) return false;
  await dropGame({ id, owner: GUEST });
  keepGuest(id, null);
  return true;
}
