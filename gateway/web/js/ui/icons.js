// Small drawings; text beside them says the same, so nobody has to see them.

import { s } from "./dom.js";

/** @type {Record<string, string>} */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  chart: "M5 20V11M12 20V4M19 20v-6",
  book: "M12 6c-2-1.5-5-2-8-1.5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5v-13C17 4 14 4.5 12 6zm0 0v13",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  up: "M12 20V5M5 11l7-7 7 7",
  down: "M12 4v15M5 13l7 7 7-7",
  card: "M9 8h9v13H9zM6 17V4h8",
  deck: "M5 9h10v12H5zM8 6h10v12M11 3h10v12",
  wait: "M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 20c0-4 3-6 6-6s6 2 6 6M16 5.5a3 3 0 0 1 0 5.5M18 14.5c2 .8 3 2.6 3 5.5",
  plus: "M12 5v14M5 12h14",
  eye: "M2 12c5-8 15-8 20 0-5 8-15 8-20 0zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  close: "M6 6l12 12M18 6 6 18",
};

/** @param {string} name @returns {SVGElement} */
export function icon(name) {
  return s(
    "svg.icon",
    { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("path", { d: PATHS[name] }),
  );
}
