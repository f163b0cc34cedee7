// A drawing of figures, and the same as a table for whoever would rather read it.

import { h } from "../ui/dom.js";
import { t } from "../ui/i18n.js";

/**
 * @param {string} title
 * @param {Node} drawing
 * @param {{head: string[], rows: (string | number)[][]}} table
 */
export function figure(title, drawing, { head, rows }) {
  return h(
    "figure",
    { class: "figure", key: title },
    h("figcaption", null, title),
    drawing,
    h(
      "details",
      { class: "folded" },
      h("summary", null, t("stats.as_table")),
      h(
        "table",
        null,
        h("caption", { class: "for-readers" }, title),
        h("thead", null, h("tr", null, head.map((it) => h("th", { scope: "col" }, it)))),
        h(
          "tbody",
          null,
          rows.map(
            ([first, ...rest]) => h(
              "tr",
              null,
              h("th", { scope: "row" }, String(first)),
              rest.map((it) => h("td", null, String(it))),
            ),
          ),
        ),
      ),
    ),
  );
}
