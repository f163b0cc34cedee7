// A game move by move: a slider over its log, the table after each entry, and going back with Plus.

import { readGame, readLog, readShared, rewindGame } from "../api/games.js";
import { hasPlus, isOwner } from "../api/session.js";
import { page } from "../parts/page.js";
import { still } from "../parts/still.js";
import { go } from "../router.js";
import { actionName, instructionText } from "../table/words.js";
import { agreed, button, doing, h, moment, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root, params }) {
  const [id] = params;
  const [game, start, entries] = await Promise.all([readShared(id), readGame(id, 0), readLog(id, { tables: true })]);
  const actions = new Map(entries.map((it) => [it.action.id, it.action]));
  let at = entries.length;

  /** @param {number} wanted */
  const move = (wanted) => {
    at = Math.min(entries.length, Math.max(0, wanted));
    draw();
  };
  const rewind = doing(async () => {
    if (!(await agreed(t("replay.rewind_title"), t("replay.rewind_text"), t("replay.rewind"), "primary"))) return;
    await rewindGame(id, entries[at - 1]?.seq ?? 0, game.version);
    await go(`/games/${id}`);
  });

  function draw() {
    const entry = entries[at - 1];
    const text = entry ? entryText(game, entry, actions) : t("replay.start");
    const mayRewind = hasPlus() && isOwner(game) && at < entries.length;
    const step = (/** @type {string} */ label, /** @type {number} */ by, /** @type {string} */ sign) =>
      button(
        sign,
        () => move(at + by),
        "",
        { "aria-label": label, disabled: at + by < 0 || at + by > entries.length },
      );
    render(
      root,
      page(
        { title: t("replay.title"), back: `/games/${id}`, wide: true },
        h(
          "div.replay",
          still(entry?.table ?? start.table, game.players),
          h(
            "div.replay-at",
            h(
              "p.replay-what",
              { "aria-live": "polite" },
              h("strong", text),
              entry ? h("small", whoAndWhen(entry)) : null,
            ),
            h("label", { for: "at", class: "hint" }, t("replay.at", { at, of: entries.length })),
            h(
              "input",
              {
                id: "at",
                type: "range",
                min: 0,
                max: entries.length,
                value: at,
                "aria-valuetext": text,
                oninput: (/** @type {any} */ event) => move(Number(event.target.value)),
              },
            ),
            h("div.row", step(t("replay.back"), -1, "‹"), step(t("replay.on"), 1, "›")),
            mayRewind ? button(t("replay.rewind"), rewind) : null,
          ),
        ),
      ),
    );
  }
  draw();
}

/** @param {any} game @param {any} entry @param {Map<string, any>} actions */
export function entryText(game, { action, instructions }, actions) {
  const target = actions.get(action.target);
  const key = { undo: "undo.what", redo: "redo.what" }[/** @type {"undo" | "redo"} */ (action.type)];
  const what = key ? t(
    key,
    { what: target ? actionName(target, target.type) : t("action.play") },
  ) : actionName(action, action.type);
  const told = instructions.map((/** @type {any} */ it) => instructionText(game, it));
  return [what[0].toUpperCase() + what.slice(1), ...told].join(" · ");
}

/** @param {any} entry */
const whoAndWhen = ({ by, at, recorded_at }) => [by?.device, moment(at ?? recorded_at)].filter(Boolean).join(" · ");
