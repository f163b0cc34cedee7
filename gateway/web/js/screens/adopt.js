// Correcting a game: take what the table shows, as one entry that undo takes back.

import { adoptTable, readGame } from "../api/games.js";
import { form } from "../parts/fields.js";
import { page } from "../parts/page.js";
import { tableFields, tableShown } from "../parts/table-form.js";
import { go } from "../router.js";
import { h, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root, params }) {
  const [id] = params;
  const game = await readGame(id);
  const submit = async (/** @type {Record<string, string>} */ values) => {
    await adoptTable(id, tableShown(values, game.players.length), game.version);
    await go(`/games/${id}`);
  };
  render(
    root,
    page(
      { title: t("menu.adopt"), back: `/games/${id}` },
      h("p", t("adopt.text")),
      form(tableFields(game.table, game.players), submit, t("adopt.submit")),
    ),
  );
}
