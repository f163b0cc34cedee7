// The two kinds of pile as the client's sign.

import { s } from "../ui/screen.js";

export const emblem = () =>
  s(
    "svg.emblem",
    { viewBox: "0 0 64 64", "aria-hidden": "true" },
    s("path.emblem-up", { d: "M12 26 26 12 40 26V52H12Z" }),
    s("path.emblem-down", { d: "M28 22H54V44L41 57 28 44Z" }),
  );
