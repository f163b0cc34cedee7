// One side of a conflict: who told it, when, what they entered, and the table it leads to.

import { actionName } from "../table/words.js";
import { button } from "../ui/button.js";
import { h } from "../ui/dom.js";
import { moment, t } from "../ui/i18n.js";
import { still } from "./still.js";

/**
 * @param {any} conflict
 * @param {"cloud" | "device"} name
 * @param {any} game
 * @param {(() => void) | null} reopen
 */
export function side(conflict, name, game, reopen) {
  const { device, at, table, entries } = conflict[name];
  const about = [device, at ? moment(at) : ""].filter(Boolean).join(" · ");
  const actions = (entries ?? []).map(
    (/** @type {any} */ it) => ({ ...it.action, isRefused: it.outcome?.verdict === "rejected" }),
  );
  return h(
    "section",
    { class: "side", key: name },
    h(
      "h2",
      null,
      t(`conflict.side.${name}`),
      conflict.newer === name ? h("small", null, ` ${t("conflict.newer")}`) : null,
    ),
    about ? h("p", { class: "hint" }, about) : null,
    table ? still(table, game.players) : null,
    h(
      "details",
      { class: "folded" },
      h("summary", null, t("conflict.entries", { n: actions.length })),
      h(
        "ol",
        { class: "plain-list" },
        actions.map(
          (/** @type {any} */ it) => h("li", { class: it.isRefused ? "refused" : "" }, actionName(it, it.type)),
        ),
      ),
    ),
    reopen ? button(t("conflict.reopen"), reopen, "small") : null,
  );
}
