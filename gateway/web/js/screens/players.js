// Saved players: new, another name, put away, one person saved twice.

import { changePlayer, createPlayer, listPlayers, mergePlayer, unmergePlayer } from "../api/people.js";
import { field, form } from "../parts/fields.js";
import { empty, listed, page } from "../parts/page.js";
import { ask, button, doing, h, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  const load = async () => {
    const players = await listPlayers(true);
    if (!signal.aborted) draw(players);
  };
  /** @param {() => Promise<any>} change */
  const changed = (change) =>
    doing(async () => {
      await change();
      await load();
    })();

  /** @param {any[]} players */
  function draw(players) {
    const present = players.filter((it) => !it.archived && !it.merged_into);
    const away = players.filter((it) => it.archived && !it.merged_into);
    const merged = players.filter((it) => it.merged_into);
    const name = (/** @type {string} */ id) => players.find((it) => it.id === id)?.name ?? "";
    const add = async (/** @type {Record<string, string>} */ values) => {
      await createPlayer(values.name.trim());
      const input = /** @type {HTMLInputElement} */ (root.querySelector("[name=name]"));
      input.value = "";
      await load();
    };
    const open = (/** @type {any} */ player) => edit(player, present, changed);
    const back = (/** @type {any} */ { id }) => () => changed(() => changePlayer(id, { archived: false }));
    render(
      root,
      page(
        { title: t("players.title"), back: "/settings" },
        form(
          [field(t("new.name"), { name: "name", required: true, maxlength: 60, autocomplete: "off" })],
          add,
          t("players.add"),
        ),
        present.length ? null : empty(t("players.none")),
        listed(t("stats.players"), present.map((it) => row(it.name, "", t("players.change"), () => open(it)))),
        listed(t("players.away"), away.map((it) => row(it.name, "", t("players.back"), back(it)))),
        listed(
          t("players.merged"),
          merged.map((it) => row(
            it.name,
            t("players.is", { name: name(it.merged_into) }),
            t("players.unmerge"),
            () => changed(() => unmergePlayer(it.id)),
          )),
        ),
      ),
    );
  }
  await load();
}

/** @param {string} name @param {string} more @param {string} label @param {() => void} onclick */
const row = (name, more, label, onclick) =>
  h(
    "li.card",
    h("span", h("strong", name), more ? h("small", more) : null),
    button(label, onclick, "small", { "aria-label": `${label}: ${name}` }),
  );

/** @param {any} player @param {any[]} all @param {(change: () => Promise<any>) => Promise<void>} changed */
async function edit(player, all, changed) {
  const onkeydown = (/** @type {any} */ event) => {
    if (event.key !== "Enter") return;
    // Not for what has the focus after the dialog
    event.preventDefault();
    event.target.closest("dialog").querySelector(".primary").click();
  };
  const input = h("input", { value: player.name, maxlength: 60, "aria-label": t("new.name"), onkeydown });
  const wanted = await ask({
    title: player.name,
    text: [input],
    choices: [
      { value: "rename", label: t("players.rename"), kind: "primary" },
      ...(all.length > 1 ? [{ value: "merge", label: t("players.merge") }] : []),
      { value: "archive", label: t("players.archive"), kind: /** @type {const} */ ("danger") },
    ],
  });
  const name = input.value.trim();
  if (wanted === "rename" && name) await changed(() => changePlayer(player.id, { name }));
  if (wanted === "archive") await changed(() => changePlayer(player.id, { archived: true }));
  if (wanted !== "merge") return;
  const others = all.filter((it) => it.id !== player.id).map((it) => ({ value: it.id, label: it.name }));
  const into = await ask(
    { title: t("players.merge_title", { name: player.name }), text: t("players.merge_text"), choices: others },
  );
  if (into) await changed(() => mergePlayer(player.id, into));
}
