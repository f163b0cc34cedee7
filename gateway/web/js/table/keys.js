// The whole game by keyboard: digits and a pile lay a card, single letters do the rest.

/** @type {Record<string, string>} */
export const PILE_KEYS = { q: "up1", w: "up2", a: "down1", s: "down2" };
/** @type {Record<string, string>} */
const COMMANDS = { u: "undo", y: "redo", b: "block", n: "next", "?": "help", Escape: "cancel" };

/**
 * @typedef {{typed: string, pile: string | null}} Typing what was typed so far and the pile chosen for it
 * @typedef {{typing: Typing, play?: {pile: string, card: number}, command?: string}} Typed
 * @param {Typing} typing
 * @param {string} key as `KeyboardEvent.key`
 * @returns {Typed | null} null when the key means nothing here
 */
export function typed({ typed: digits, pile }, key) {
  if (/^\d$/.test(key)) return { typing: { typed: (digits + key).slice(-2), pile } };
  if (key === "Backspace" && digits) return { typing: { typed: digits.slice(0, -1), pile } };
  const named = PILE_KEYS[key.toLowerCase()];
  if (named) {
    const isWhole = digits !== "" && !pile;
    return isWhole ? laid(named, digits) : { typing: { typed: digits, pile: named } };
  }
  if (key === "Enter" && digits && pile) return laid(pile, digits);
  const command = COMMANDS[key] ?? COMMANDS[key.toLowerCase()];
  return command ? { typing: { typed: "", pile: null }, command } : null;
}

/** @param {string} pile @param {string} digits */
const laid = (pile, digits) => ({ typing: { typed: "", pile: null }, play: { pile, card: Number(digits) } });

/** Whether a key belongs to what has the focus. @param {KeyboardEvent} event @param {Typing} typing */
export function isElsewhere(event, typing) {
  const focused = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return true;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(focused.tagName)) return true;
  return event.key === "Enter" && !(typing.typed && typing.pile) && /^(BUTTON|A|SUMMARY)$/.test(focused.tagName);
}
