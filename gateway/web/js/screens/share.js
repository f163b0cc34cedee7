// Inviting other devices to a game: a code to scan, a link to send, and who was invited so far.

import { invite, listInvitations, revoke } from "../api/games.js";
import { Refusal } from "../api/problems.js";
import { choice } from "../parts/fields.js";
import { listed, page } from "../parts/page.js";
import { plusNeeded } from "../parts/plus.js";
import { button, doing, h, moment, notice, render, t } from "../ui/screen.js";

const LASTS_S = 12 * 3600;

/** @param {import("../router.js").Place} place */
export async function show({ root, params }) {
  const [id] = params;
  let role = "recorder";
  /** @type {any} */
  let issued = null;
  let needsPlus = false;
  let invitations = await listInvitations(id);

  const make = doing(async () => {
    try {
      issued = await invite(id, { role, expires_in: LASTS_S });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "plus_required") throw error;
      needsPlus = true;
    }
    invitations = await listInvitations(id);
    draw();
  });
  const takeBack = (/** @type {string} */ invitation) =>
    doing(async () => {
      await revoke(id, invitation);
      if (issued?.id === invitation) issued = null;
      invitations = await listInvitations(id);
      draw();
    });

  function draw() {
    const roles = ["recorder", "viewer"].map((it) => /** @type {[string, string]} */ ([it, t(`role.${it}`)]));
    const active = invitations.filter((it) => it.status === "active");
    render(
      root,
      page(
        { title: t("share.title"), back: `/games/${id}` },
        h("p", t("share.text")),
        needsPlus ? plusNeeded() : null,
        issued ? shown(issued) : null,
        choice(t("share.role"), "role", roles, role, (it) => (role = it)),
        issued ? button(t("share.another"), make) : button(t("share.make"), make, "primary"),
        listed(t("share.open"), active.map((it) => invitation(it, takeBack(it.id)))),
      ),
    );
  }
  draw();
}

/** @param {any} issued */
function shown({ url, qr, expires_at }) {
  const copy = doing(async () => {
    if (navigator.share) return navigator.share({ title: "Ninety-Eight", url }).catch(() => {});
    await navigator.clipboard.writeText(url);
    notice(t("share.copied"));
  });
  return h(
    "section.invitation",
    h("img.qr", { alt: t("share.qr"), src: `data:image/svg+xml,${encodeURIComponent(qr)}` }),
    h("p", t("share.scan", { until: moment(expires_at) })),
    h("p.link", url),
    navigator.share || navigator.clipboard ? button(
      navigator.share ? t("share.send") : t("share.copy"),
      copy,
      "primary",
    ) : null,
  );
}

/** @param {any} it @param {() => void} onclick */
function invitation({ id, role, guests, expires_at }, onclick) {
  return h(
    "li.card",
    { key: id },
    h(
      "span",
      h("strong", t(`role.${role}`)),
      h("small", `${t("share.guests", { n: guests })} · ${t("share.until", { until: moment(expires_at) })}`),
    ),
    button(t("share.revoke"), onclick, "small"),
  );
}
