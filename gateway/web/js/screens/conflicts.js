// Games that two devices tell differently, those first that wait for the table's word.

import { listConflicts } from "../api/results.js";
import { empty, page } from "../parts/page.js";
import { h } from "../ui/dom.js";
import { moment, t } from "../ui/i18n.js";
import { render } from "../ui/morph.js";

/** @param {import("../router.js").Place} place */
export async function show({ root }) {
  const all = await listConflicts();
  const open = (/** @type {any} */ it) => (it.status === "needs_decision" ? 0 : 1);
  const items = all.sort((a, b) => open(a) - open(b)).map((it) =>
    h(
      "li",
      { key: it.id },
      h(
        "a",
        { class: "game-link", href: `/conflicts/${it.id}` },
        h(
          "span",
          { class: "game-what" },
          h("strong", null, t(`conflict.${it.status}`)),
          h("small", null, [it.device?.device, moment(it.created_at)].filter(Boolean).join(" · ")),
        ),
      ),
    ),
  );
  render(
    root,
    page(
      { title: t("conflicts.title"), back: "/settings" },
      items.length ? h("ul", { class: "cards" }, items) : empty(t("conflicts.none")),
    ),
  );
}
