// Charts as SVG: columns, bars and a run of points; sizes in CSS pixels, colours from the style sheet.

import { number, s } from "../ui/screen.js";

const HEIGHT = 180;
const LEFT = 30;
const BOTTOM = 22;

/** @param {number} width @param {number} height @param {string} label @param {...any} content */
const drawing = (width, height, label, ...content) =>
  s("svg.chart", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...content);

/** @param {number} x @param {number} y @param {string} words @param {string} [anchor] */
const text = (x, y, words, anchor = "middle") => s("text", { x, y, "text-anchor": anchor }, words);

/** A round number not below `most`, to end an axis with. @param {number} most */
export function ceiling(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((it) => it * power).find((it) => it >= most) ?? most;
}

/** @param {number} width @param {number} top the value of the upper end */
function frame(width, top) {
  const y = (/** @type {number} */ value) => 8 + (HEIGHT - BOTTOM - 8) * (1 - value / top);
  const lines = [0, top / 2, top].map((value) => [
    s("line.chart-line", { x1: LEFT, x2: width, y1: y(value), y2: y(value) }),
    text(LEFT - 5, y(value) + 4, number(value, { maximumFractionDigits: 1 }), "end"),
  ]);
  return { y, lines };
}

/**
 * How often each value came up.
 * @param {number} width @param {string} label @param {number[]} counts by value, from 0
 * @param {(value: number) => string} kind a class for the column
 */
export function histogram(width, label, counts, kind) {
  const { y, lines } = frame(width, ceiling(Math.max(...counts)));
  const step = (width - LEFT - 8) / counts.length;
  const columns = counts.map((count, value) =>
    s(
      "rect",
      {
        class: kind(value),
        x: LEFT + value * step + step * 0.1,
        width: step * 0.8,
        y: y(count),
        height: Math.max(0, y(0) - y(count)),
      },
    ),
  );
  const every = [1, 2, 5, 10, 20].find((it) => it * step > 26) ?? 25;
  const ticks = counts.map(
    (_, value) => (value % every ? null : text(LEFT + (value + 0.5) * step, HEIGHT - 5, number(value))),
  );
  return drawing(width, HEIGHT, label, lines, columns, ticks);
}

/**
 * Values one after the other.
 * @param {number} width @param {string} label @param {number[]} values
 */
export function run(width, label, values) {
  const { y, lines } = frame(width, ceiling(Math.max(10, ...values)));
  const x = (/** @type {number} */ index) => LEFT + 8 + ((width - LEFT - 16) * index) / Math.max(
    1,
    values.length - 1,
  );
  const points = values.map((value, index) => `${x(index)},${y(value)}`).join(" ");
  const dots = values.map(
    (value, index) => s(
      "circle",
      { class: value < 10 ? "good" : "", cx: x(index), cy: y(value), r: values.length > 60 ? 2 : 4 },
    ),
  );
  return drawing(width, HEIGHT, label, lines, s("polyline.chart-run", { points }), dots);
}

/** How wide to draw what would not fit; null where it does. @param {string} words @param {number} space */
const squeezed = (words, space) => (7.5 * words.length > space ? space : null);

/**
 * Shares of one, a bar each.
 * @param {number} width @param {string} label @param {{name: string, share: number, shown: string}[]} items
 */
export function bars(width, label, items) {
  const row = 44;
  const rows = items.map(({ name, share, shown }, index) => [
    s(
      "text",
      // A long name is drawn narrower: the number beside it stays readable.
      { y: index * row + 14, lengthAdjust: "spacingAndGlyphs", textLength: squeezed(name, width - 8 * shown.length - 8) },
      name,
    ),
    text(width, index * row + 14, shown, "end"),
    s("rect.chart-ground", { x: 0, width, y: index * row + 20, height: 12, rx: 6 }),
    s("rect", { x: 0, width: Math.max(share > 0 ? 12 : 0, share * width), y: index * row + 20, height: 12, rx: 6 }),
  ]);
  return drawing(width, Math.max(1, items.length) * row, label, rows);
}
