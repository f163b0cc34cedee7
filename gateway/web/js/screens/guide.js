// The rules, in the reader's language, for whoever wants them, signed in or not.

import { readGuide } from "../api/results.js";
import { account } from "../api/session.js";
import { languagePicker } from "../parts/language.js";
import { page } from "../parts/page.js";
import { markdown } from "../ui/markdown.js";
import { h, render, spoken, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root, params, signal }) {
  const draw = async () => {
    const guide = await readGuide(params[0] ?? spoken());
    if (!signal.aborted) render(root, page({ title: t("nav.guide"), back: account() ? null : "/" }, ...view(guide)));
  };
  /** @param {{language: string, sections: any[]}} guide */
  const view = (guide) => {
    const links = guide.sections.map(({ id, title }) => h("li", h("a", { href: `#${id}` }, title)));
    const sections = guide.sections.map(({ id, title, markdown: text }) =>
      h("section.prose", { id, key: id }, h("h2", title), markdown(text)),
    );
    return [
      params[0] ? null : languagePicker(draw),
      h("nav", { "aria-label": t("guide.contents"), lang: guide.language }, h("ul.contents", links)),
      h("div.prose-all", { lang: guide.language }, sections),
    ];
  };
  await draw();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}
