// A drawing of figures, and the same as a table for whoever would rather read it.

import { h, t } from "../ui/screen.js";

/**
 * @param {string} title
 * @param {Node} drawing
 * @param {{head: string[], rows: (string | number)[][]}} table
 */
export function figure(title, drawing, { head, rows }) {
  return h(
    "figure.figure",
    { key: title },
    h("figcaption", title),
    drawing,
    h(
      "details.folded",
      h("summary", t("stats.as_table")),
      h(
        "table",
        h("caption.for-readers", title),
        h("thead", h("tr", head.map((it) => h("th", { scope: "col" }, it)))),
        h(
          "tbody",
          rows.map(
            ([first, ...rest]) => h(
              "tr",
              h("th", { scope: "row" }, String(first)),
              rest.map((it) => h("td", String(it))),
            ),
          ),
        ),
      ),
    ),
  );
}
