// Joining a game by a link or a code, with or without an account. The code never leaves the address' last part.

import { acceptInvitation } from "../api/people.js";
import { said } from "../api/problems.js";
import { account, keepGuest } from "../api/session.js";
import { field, form } from "../parts/fields.js";
import { guestGames } from "../parts/guests.js";
import { page } from "../parts/page.js";
import { go } from "../router.js";
import { h, notice, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  const code = location.hash.slice(1);
  window.addEventListener("hashchange", () => show({ root, params: [], signal }), { signal, once: true });
  if (!code) return draw(root, "");
  render(root, page({ title: t("join.title") }, h("p", t("join.joining"))));
  try {
    await join(code);
  } catch (error) {
    if (!signal.aborted) draw(root, said(error));
  }
}

/** @param {string} code */
async function join(code) {
  const wasSomebody = account();
  const invited = await acceptInvitation(code);
  // Whose account has the game needs no token for it.
  keepGuest(invited.game_id, invited.access_token ? invited : null);
  if (wasSomebody && !account()) notice(t("join.signed_out"), { isError: true });
  await go(`/games/${invited.game_id}`, { replaces: true });
}

/** @param {HTMLElement} root @param {string} problem */
function draw(root, problem) {
  const submit = (/** @type {Record<string, string>} */ { code }) => join(code.trim().replace(/^.*#/, ""));
  render(
    root,
    page(
      { title: t("join.title"), back: "/" },
      problem ? h("p.problem", problem) : null,
      h("p", t("join.text")),
      form([field(t("join.code"), { name: "code", autocomplete: "off", required: true })], submit, t("join.submit")),
      guestGames(),
    ),
  );
}
