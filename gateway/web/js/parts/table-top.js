// Above the table: the way out, who else is looking, whether the network is there, and what is rarely needed.

import { binGame } from "../api/games.js";
import { guest, hasPlus } from "../api/session.js";
import { go } from "../router.js";
import { nameOf } from "../table/words.js";
import { ask } from "../ui/dialog.js";
import { doing } from "../ui/doing.js";
import { h } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { icon } from "./icons.js";

/** @param {import("../table/table.js").Table} table */
export function tableTop(table) {
  const { connection, devices } = table;
  const others = devices.reduce((sum, it) => sum + it.streams, 0);
  return h(
    "header",
    { class: "top table-bar", key: "top" },
    h("a", { class: "icon-button", href: "/", "aria-label": t("nav.back") }, icon("back")),
    h("span", { class: `connection ${connection}` }, table.ended ? t("lost.title") : t(`live.${connection}`)),
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
    (it) => h("li", null, it.device || t("presence.nameless"), h("small", null, t(`role.${it.role}`))),
  );
  return ask({
    title: t("presence.title"),
    text: devices.length ? h("ul", { class: "plain-list" }, items) : t("presence.nobody"),
    choices: [],
    cancel: t("dialog.close"),
  });
}

/** @param {import("../table/table.js").Table} table */
async function menu(table) {
  const { id, game } = table;
  const isGuest = guest(id) !== null;
  const wanted = await ask({
    title: t("menu.title", { name: nameOf(game, 0) }),
    choices: [
      ...(isGuest ? [] : [{ value: "share", label: t("menu.share") }]),
      { value: "replay", label: t("menu.replay") },
      { value: "cards", label: t("menu.cards") },
      ...(hasPlus() && !isGuest ? [{ value: "adopt", label: t("menu.adopt") }] : []),
      { value: "keys", label: t("keys.title") },
      ...(isGuest ? [] : [{ value: "bin", label: t("menu.bin"), kind: /** @type {const} */ ("danger") }]),
    ],
    cancel: t("dialog.close"),
  });
  if (wanted === "keys") await ask(
    { title: t("keys.title"), text: t("keys.text"), choices: [], cancel: t("dialog.close") },
  );
  else if (wanted === "bin") await doing(() => bin(id))();
  else if (wanted) go(`/games/${id}/${wanted}`);
}

/** @param {string} id */
async function bin(id) {
  const choices = [{ value: "yes", label: t("menu.bin"), kind: /** @type {const} */ ("danger") }];
  if (!(await ask({ title: t("bin.title"), text: t("bin.text"), choices }))) return;
  await binGame(id);
  await go("/");
}
