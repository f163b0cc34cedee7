// Inviting other devices to a game: a code to scan, a link to send, and who was invited so far.

import { invite, listInvitations, revoke } from "../api/games.js";
import { Refusal } from "../api/problems.js";
import { choice } from "../parts/fields.js";
import { page, section } from "../parts/page.js";
import { plusNeeded } from "../parts/plus.js";
import { doing } from "../ui/doing.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { moment, t } from "../ui/i18n.js";
import { notice } from "../ui/notice.js";
import { render } from "../ui/morph.js";

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
        h("p", null, t("share.text")),
        needsPlus ? plusNeeded() : null,
        issued ? shown(issued) : null,
        choice(t("share.role"), "role", roles, role, (it) => (role = it)),
        h(
          "button",
          { type: "button", class: issued ? "button plain" : "button primary", onclick: make },
          issued ? t("share.another") : t("share.make"),
        ),
        active.length
          ? section(t("share.open"), h("ul", { class: "cards" }, active.map((it) => invitation(it, takeBack(it.id)))))
          : null,
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
    "section",
    { class: "invitation" },
    h("img", { class: "qr", alt: t("share.qr"), src: `data:image/svg+xml,${encodeURIComponent(qr)}` }),
    h("p", null, t("share.scan", { until: moment(expires_at) })),
    h("p", { class: "link" }, url),
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
    "li",
    { class: "card", key: id },
    h(
      "span",
      null,
      h("strong", null, t(`role.${role}`)),
      h("small", null, `${t("share.guests", { n: guests })} · ${t("share.until", { until: moment(expires_at) })}`),
    ),
    button(t("share.revoke"), onclick, "small"),
  );
}
