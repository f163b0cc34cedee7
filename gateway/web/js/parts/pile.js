// A pile: rising ones point up and stand above, falling ones point down and stand below.

import { canPlay } from "../table/next.js";
import { pileName } from "../table/words.js";
import { h, icon, s, t } from "../ui/screen.js";

const SHAPES = {
  up: "M50 3 97 27V95a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V27z",
  down: "M50 97 3 73V5a3 3 0 0 1 3-3h88a3 3 0 0 1 3 3v68z",
};

/**
 * @param {import("../table/projection.js").View} view
 * @param {string} name
 * @param {{chosen: string | null, hint?: string, mayEnter: boolean, choose: (pile: string) => void}} how
 */
export function pileButton(view, name, { chosen, hint, mayEnter, choose }) {
  const pile = view.table.piles[name];
  const isPending = view.pending.has(name);
  const top = pile.top ?? "?";
  const label = [
    pileName(name),
    t("pile.top", { top }),
    isPending ? t("pending.mark") : "",
  ].filter(Boolean).join(", ");
  return h(
    "button",
    {
      type: "button",
      key: name,
      class: `pile ${pile.direction}${isPending ? " pending" : ""}${chosen === name ? " chosen" : ""}`,
      "aria-label": label,
      "aria-pressed": chosen === null ? null : String(chosen === name),
      "aria-keyshortcuts": hint ?? null,
      disabled: !mayEnter || !canPlay(view),
      onclick: () => choose(name),
    },
    s(
      "svg.pile-shape",
      { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("path", { d: SHAPES[/** @type {"up" | "down"} */ (pile.direction)], "vector-effect": "non-scaling-stroke" }),
    ),
    h("span.pile-way", icon(pile.direction), h("span", t(`pile.way.${pile.direction}`))),
    h("span.pile-top", String(top)),
    hint ? h("kbd.pile-key", hint) : null,
    isPending ? h("span.pile-wait", icon("wait")) : null,
  );
}
