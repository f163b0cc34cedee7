// Above the table: the way out, who else is looking, whether the network is there, and what is rarely needed.

import { binGame, leaveGame } from "../api/games.js";
import { guest, hasPlus, isOwner } from "../api/session.js";
import { dropGame } from "../offline/journal.js";
import { forgetInvitation } from "./guests.js";
import { go } from "../router.js";
import { agreed, ask, doing, h, icon, t } from "../ui/screen.js";

/** @param {import("../table/table.js").Table} table */
export function tableTop(table) {
  const { connection, devices } = table;
  const others = devices.reduce((sum, it) => sum + it.streams, 0);
  return h(
    "header.top.table-bar",
    { key: "top" },
    h("a.icon-button", { href: "/", "aria-label": t("nav.back") }, icon("back")),
    h("span", { class: `connection ${connection}` }, table.ended ? t("live.over") : t(`live.${connection}`)),
    h(
      "button",
      {
        type: "button",
        class: "chip",
        onclick: () => whoLooks(table),
        "aria-label": t("presence.label", { n: others }),
      },
      icon("people"),
      String(others),
    ),
    h(
      "button",
      { type: "button", class: "icon-button", "aria-label": t("menu.label"), onclick: () => menu(table) },
      icon("more"),
    ),
  );
}

/** @param {import("../table/table.js").Table} table */
function whoLooks({ devices }) {
  const items = devices.map(
    (it) => h("li", it.device || t("presence.nameless"), h("small", t(`role.${it.role}`))),
  );
  return ask({
    title: t("presence.title"),
    text: devices.length ? h("ul.plain-list", items) : t("presence.nobody"),
  });
}

/** @param {import("../table/table.js").Table} table */
async function menu(table) {
  const { id, game } = table;
  const isOwn = isOwner(game);
  const wanted = await ask({
    title: t("menu.title"),
    choices: [
      ...(isOwn ? [{ value: "share", label: t("menu.share") }] : []),
      { value: "replay", label: t("menu.replay") },
      { value: "cards", label: t("menu.cards") },
      ...(hasPlus() && isOwn ? [{ value: "adopt", label: t("menu.adopt") }] : []),
      ...(matchMedia("(any-hover:hover),(min-width:40rem)").matches ? [{ value: "keys", label: t("keys.title") }] : []),
      { value: "end", label: t(isOwn ? "menu.bin" : "menu.leave"), kind: /** @type {const} */ ("danger") },
    ],
    cancel: t("dialog.close"),
  });
  if (wanted === "keys") await showKeys();
  else if (wanted === "end") await doing(() => (isOwn ? bin(table) : leave(table)))();
  else if (wanted) go(`/games/${id}/${wanted}`);
}

export const showKeys = () => ask({ title: t("keys.title"), text: t("keys.text") });

/** @param {import("../table/table.js").Table} table */
async function bin(table) {
  if (!(await agreed(t("bin.title"), t("bin.text"), t("menu.bin")))) return;
  await binGame(table.id);
  await away(table);
}

/** @param {import("../table/table.js").Table} table */
async function leave(table) {
  if (guest(table.id)) return (await forgetInvitation(table.id)) ? go("/") : undefined;
  if (!(await agreed(t("leave.title"), t("leave.text"), t("leave.yes")))) return;
  await leaveGame(table.id).catch((error) => {
    if (![404, 409].includes(error.status)) throw error; // else another device was first
  });
  await away(table);
}

/** @param {import("../table/table.js").Table} table */
async function away(table) {
  await dropGame(table);
  await go("/");
}
