// The number pad: all 98 cards, each with what the table says about it on the chosen pile.

import { judged } from "../table/next.js";
import { pileName } from "../table/words.js";
import { button, h, icon, iconButton, t } from "../ui/screen.js";

const CARDS = Array.from({ length: 98 }, (_, index) => index + 2);
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
    "section.pad",
    { key: "pad", "aria-label": t("pad.label", { pile: pileName(pile) }) },
    h(
      "div.pad-top",
      h("h2", typed ? t("pad.typed", { card: typed }) : t("pad.label", { pile: pileName(pile) })),
      iconButton(t("pad.close"), close, icon("close")),
    ),
    h("div.keys", { onkeydown: step }, keys),
    h(
      "div.pad-bottom",
      h(
        "ul.legend",
        KINDS.filter((it) => used.has(it)).map((it) => h("li", { class: it }, t(`card.${it}`))),
      ),
      button(t("pad.unnamed"), () => play(null)),
    ),
  );
}

/** With the arrows from card to card: the pad is one stop of the Tab key. @param {KeyboardEvent} event */
function step(event) {
  const key = /** @type {HTMLElement} */ (event.target);
  const keys = /** @type {HTMLElement} */ (event.currentTarget);
  const columns = getComputedStyle(keys).gridTemplateColumns.split(" ").length;
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const card = Number(key.dataset.key) + steps[event.key];
  const next = keys.querySelector(`[data-key="${card}"]`);
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
