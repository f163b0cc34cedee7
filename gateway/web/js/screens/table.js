// The table: the screen that lies beside the cards.

import { guest, keepGuest } from "../api/session.js";
import { bar } from "../parts/bar.js";
import { pad, reveal } from "../parts/pad.js";
import { pileButton } from "../parts/pile.js";
import { resultPanel } from "../parts/result.js";
import { seats } from "../parts/seats.js";
import { strips } from "../parts/strips.js";
import { showKeys, tableTop } from "../parts/table-top.js";
import { dropGame } from "../offline/journal.js";
import { arrive } from "../router.js";
import { canPlay, next } from "../table/next.js";
import { isElsewhere, PILE_KEYS, typed } from "../table/keys.js";
import { spokenTable } from "../table/spoken.js";
import { Table } from "../table/table.js";
import { stayAwake } from "../table/wake.js";
import { namesOf, owedText, PILES, pileName, turnText } from "../table/words.js";
import { preferences } from "../ui/preferences.js";
import { agreed, h, render, t } from "../ui/screen.js";

const NOTHING = { typed: "", pile: null };

/** @param {import("../router.js").Place} place */
export async function show({ root, params, signal }) {
  const table = new Table(params[0], signal);
  /** @type {import("../table/keys.js").Typing} */
  let typing = NOTHING;
  /** The pile that was dealt with last. @type {string | null} */
  let used = null;

  /** @param {any} action */
  const enter = (action) => {
    typing = NOTHING;
    if (table.mayEnter) table.enter(action);
  };
  const choose = (/** @type {string} */ pile) => {
    typing = { ...typing, pile: typing.pile === pile ? null : pile };
    draw();
    reveal(root);
  };
  const play = async (/** @type {string} */ pile, /** @type {number | null} */ card) => {
    const { table: { piles: { [pile]: on } }, pending } = table.view();
    // Offline nobody can tell what may follow a card without its number.
    const isOpen = card !== null && (on.uncertain.includes(card) || (on.top === null && pending.has(pile)));
    used = pile;
    const confirmed = card === null || isOpen ? await groupAgrees(pile, card) : null;
    if (confirmed === false) return;
    enter({ type: "play", pile, ...(card === null ? {} : { card }), ...(confirmed ? { confirmed } : {}) });
  };
  const block = async () => {
    if (await agreed(t("block.title"), t("block.text"), t("block.yes"))) enter({ type: "block" });
  };

  function draw() {
    const view = table.view();
    const { pile } = canPlay(view) && table.mayEnter ? typing : NOTHING;
    const hints = preferences().keys ? Object.fromEntries(
      Object.entries(PILE_KEYS).map(([key, it]) => [it, key.toUpperCase()]),
    ) : {};
    const how = { chosen: pile, mayEnter: table.mayEnter, choose };
    const hadFocus = root.contains(document.activeElement);
    render(
      root,
      h(
        "main",
        { class: `table${pile ? " picking" : ""}`, key: "table", "data-version": table.game.version },
        tableTop(table),
        seats(table.game, view),
        h(
          "div.turn",
          { key: "turn" },
          h("h1", { tabindex: "-1" }, turnText(table.game, view)),
          h("p", typing.typed && !pile ? t("pad.typed_only", { card: typing.typed }) : owedText(view)),
        ),
        strips(table),
        view.table.status === "finished"
          ? resultPanel(table.game, view)
          : h(
            "div.piles",
            { key: "piles" },
            PILES.map((it) => pileButton(view, it, { ...how, hint: hints[it] })),
          ),
        pile ? pad(view, pile, typing.typed, { play: (card) => play(pile, card), close: () => choose(pile) }) : null,
        table.mayEnter ? bar(table, view, { enter, block }) : null,
      ),
    );
    if (hadFocus && document.activeElement === document.body) refocus();
  }

  /** What had the focus is gone: where the next thing is done. */
  function refocus() {
    const places = [`.pile[data-key="${used}"]:enabled`, ".next", ".turn h1"];
    const found = places.map((it) => root.querySelector(it)).find(Boolean);
    /** @type {HTMLElement | undefined} */ (found)?.focus({ preventScroll: true });
    used = null;
  }

  /** @param {string} command */
  function obey(command) {
    const view = table.view();
    const next_ = next(view, table.last.instructions);
    if (command === "undo" && view.undo) enter({ type: "undo", target: view.undo.target });
    else if (command === "redo" && view.redo) enter({ type: "redo", target: view.redo.target });
    else if (command === "block" && canPlay(view)) block();
    else if (command === "help") showKeys();
    else if (command === "next") {
      if (next_.kind === "give_back") table.carryOut();
      else if (next_.kind !== "play" && next_.kind !== "over") enter({ type: next_.kind });
    }
  }

  table.addEventListener("change", draw);
  table.addEventListener("left", () => arrive());
  spokenTable(table);
  document.addEventListener(
    "keydown",
    (event) => {
      if (!table.game || isElsewhere(event, typing)) return;
      const isAlways = /^(Escape|Enter|Backspace|\d)$/.test(event.key);
      const found = preferences().keys || isAlways ? typed(typing, event.key) : null;
      if (!found) return;
      event.preventDefault();
      const isNewPile = found.typing.pile !== typing.pile;
      typing = found.typing;
      if (found.play) play(found.play.pile, found.play.card);
      else if (found.command) obey(found.command);
      draw();
      if (isNewPile) reveal(root);
    },
    { signal },
  );
  await table.open().catch((error) => {
    if (error.status === 404) dropGame(table);
    throw error;
  });
  const invited = guest(table.id);
  if (invited) keepGuest(table.id, { ...invited, names: namesOf(table.game) });
  stayAwake(signal);
}

/** The group's word where the table cannot know. @param {string} pile @param {number | null} card */
async function groupAgrees(pile, card) {
  const key = card === null ? "agree.unnamed" : "agree.card";
  const text = t(key, { card: card ?? "", pile: pileName(pile) });
  return agreed(t("agree.title"), text, t("agree.yes"), "primary");
}
