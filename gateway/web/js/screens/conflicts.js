// Games that two devices tell differently, those first that wait for the table's word.

import { listConflicts } from "../api/results.js";
import { cards, empty, page } from "../parts/page.js";
import { h, moment, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root }) {
  const all = await listConflicts();
  const open = (/** @type {any} */ it) => (it.status === "needs_decision" ? 0 : 1);
  const items = all.sort((a, b) => open(a) - open(b)).map((it) =>
    h(
      "li",
      { key: it.id },
      h(
        "a.game-link",
        { href: `/conflicts/${it.id}` },
        h(
          "span.game-what",
          h("strong", t(`conflict.${it.status}`)),
          h("small", [it.device?.device, moment(it.created_at)].filter(Boolean).join(" · ")),
        ),
      ),
    ),
  );
  render(
    root,
    page(
      { title: t("conflict.title"), back: "/settings" },
      items.length ? cards(items) : empty(t("conflicts.none")),
    ),
  );
}
