// The number pad: all 98 cards, each with what the table says about it on the chosen pile.

import { judged } from "../table/next.js";
import { pileName } from "../table/words.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { icon } from "./icons.js";

const CARDS = Array.from({ length: 98 }, (_, index) => index + 2);
const COLUMNS = 7;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };
const KINDS = /** @type {const} */ (["playable", "uncertain", "unchecked", "impossible", "out"]);

/**
 * @param {import("../table/projection.js").View} view
 * @param {string} pile
 * @param {string} typed digits typed so far
 * @param {{play: (card: number | null) => void, close: () => void}} how
 */
export function pad(view, pile, typed, { play, close }) {
  const kinds = new Map(CARDS.map((card) => [card, judged(view, pile, card)]));
  const used = new Set(kinds.values());
  const first = CARDS.find((card) => kinds.get(card) === "playable") ?? CARDS[0];
  const keys = CARDS.map((card) => {
    const kind = kinds.get(card) ?? "impossible";
    return h(
      "button",
      {
        type: "button",
        key: String(card),
        class: `key ${kind}${String(card) === typed ? " typed" : ""}`,
        "aria-label": kind === "playable" ? String(card) : `${card}, ${t(`card.${kind}`)}`,
        tabindex: card === first ? null : -1,
        onclick: () => play(card),
      },
      String(card),
    );
  });
  return h(
    "section",
    { class: "pad", key: "pad", "aria-label": t("pad.label", { pile: pileName(pile) }) },
    h(
      "div",
      { class: "pad-top" },
      h("h2", null, typed ? t("pad.typed", { card: typed }) : t("pad.label", { pile: pileName(pile) })),
      h(
        "button",
        { type: "button", class: "icon-button", "aria-label": t("pad.close"), onclick: close },
        icon("close"),
      ),
    ),
    h("div", { class: "keys", onkeydown: step }, keys),
    h(
      "div",
      { class: "pad-bottom" },
      h(
        "ul",
        { class: "legend" },
        KINDS.filter((it) => used.has(it)).map((it) => h("li", { class: it }, t(`card.${it}`))),
      ),
      button(t("pad.unnamed"), () => play(null)),
    ),
  );
}

/** With the arrows from card to card: the pad is one stop of the Tab key. @param {KeyboardEvent} event */
function step(event) {
  const key = /** @type {HTMLElement} */ (event.target);
  const card = Number(key.dataset.key) + STEPS[event.key];
  const next = key.parentElement?.querySelector(`[data-key="${card}"]`);
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

/** Bring what can be laid into view. @param {HTMLElement} root */
export function reveal(root) {
  const keys = root.querySelector(".keys");
  const first = root.querySelector(".key.playable, .key.unchecked, .key.uncertain");
  if (!(keys instanceof HTMLElement) || !(first instanceof HTMLElement)) return;
  const falling = root.querySelector(".pile.chosen.down");
  const all = [...root.querySelectorAll(".key.playable")];
  const shown = falling ? (all.at(-1) ?? first) : (all.find(
    (it) => !it.nextElementSibling?.matches(".impossible"),
  ) ?? first);
  keys.scrollTop = /** @type {HTMLElement} */ (shown).offsetTop - keys.offsetTop - (falling ? keys.clientHeight - 60 : 50);
}
