// One game told in two ways: both sides, where they part, what each choice discards, and the table's word.

import { readShared } from "../api/games.js";
import { isOwner } from "../api/session.js";
import { Refusal } from "../api/problems.js";
import { decide, readConflict, reopen } from "../api/results.js";
import { placeOf, settled } from "../offline/journal.js";
import { form } from "../parts/fields.js";
import { listed, page, section } from "../parts/page.js";
import { side } from "../parts/side.js";
import { still } from "../parts/still.js";
import { tableFields, tableShown } from "../parts/table-form.js";
import { go } from "../router.js";
import { actionName, pileName } from "../table/words.js";
import { button, doing, h, notice, render, t } from "../ui/screen.js";

const AGAIN_MS = 1500;

/** @param {import("../router.js").Place} place */
export async function show({ root, params, signal }) {
  const [id] = params;
  const gameId = new URLSearchParams(location.search).get("game") ?? undefined;
  let conflict = await readConflict(id, gameId);
  const game = await readShared(conflict.game_id);

  /** @param {any} body */
  const settle = async (body) => {
    try {
      await decide(id, { ...body, expected_version: conflict.cloud_version });
      await settled(placeOf(conflict.game_id), id);
      await go(`/games/${conflict.game_id}`);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "version_conflict") throw error;
      conflict = await readConflict(id, gameId);
      draw();
      notice(t("conflict.moved"), { isError: true });
    }
  };
  const reopened = (/** @type {"cloud" | "device"} */ which) =>
    isOwner(game) ? doing(async () => {
      const made = await reopen(id, which);
      await go(`/games/${made.id}`);
    }) : null;

  function draw() {
    const { status, text } = conflict;
    const isOpen = status === "needs_decision";
    const mayDecide = isOpen && isOwner(game);
    render(
      root,
      page(
        { title: t("conflict.title"), back: gameId ? `/games/${gameId}` : "/conflicts", wide: true },
        h("p.lead", text?.summary ?? t(`conflict.${status}`)),
        status === "pending" ? h("p.strip.waiting", t("conflict.pending_text")) : null,
        text?.summary ? null : parting(conflict.first_difference),
        h(
          "div.sides",
          side(conflict, "cloud", game, reopened("cloud")),
          side(conflict, "device", game, reopened("device")),
        ),
        listed(t("conflict.questions"), (conflict.questions ?? []).map(question)),
        mayDecide ? decisions(conflict, game, settle) : null,
      ),
    );
    if (status === "pending") setTimeout(look, AGAIN_MS);
    else if (!isOpen) settled(placeOf(conflict.game_id), id);
  }
  async function look() {
    if (signal.aborted) return;
    conflict = await readConflict(id, gameId).catch(() => conflict);
    if (!signal.aborted) draw();
  }
  draw();
}

/** @param {any} difference */
function parting(difference) {
  if (!difference) return null;
  const what = (/** @type {any} */ action) => (action ? actionName(action, action.type) : t("conflict.nothing"));
  return h(
    "p",
    t("conflict.part", { n: difference.turn, cloud: what(difference.cloud), device: what(difference.device) }),
  );
}

/** @param {any} it */
function question(it) {
  const name = it.fact === "top" ? pileName(it.pile) : t(`conflict.fact.${it.fact}`);
  const value = (/** @type {any} */ known) => (Array.isArray(known) ? known.join(" · ") : String(known ?? "?"));
  return h(
    "li.card",
    h(
      "span",
      it.text ?? [
        h("strong", name),
        h("small", t("conflict.both", { cloud: value(it.cloud), device: value(it.device) })),
      ],
    ),
  );
}

/** @param {any} conflict @param {any} game @param {(body: any) => Promise<void>} settle */
function decisions(conflict, game, settle) {
  const { proposal, text } = conflict;
  /** @param {string} choice @param {string} [hint] */
  const keep = (choice, hint) =>
    button(
      [h("strong", t(`conflict.keep.${choice}`)), hint ? h("small", hint) : null],
      doing(() => settle({ choice })),
      "group",
    );
  const table = proposal?.table ?? conflict.cloud.table ?? game.table;
  return section(
    t("conflict.decide"),
    h("p.hint", t("conflict.undoable")),
    proposal ? [still(proposal.table, game.players), keep("merged", t("conflict.merged_hint"))] : null,
    keep("cloud", text?.keep_cloud),
    keep("device", text?.keep_device),
    h(
      "details.folded",
      h("summary", t("conflict.keep.table")),
      form(
        tableFields(table, game.players),
        (values) => settle({ choice: "table", table: tableShown(values, game.players.length) }),
        t("conflict.keep.table"),
      ),
    ),
  );
}
