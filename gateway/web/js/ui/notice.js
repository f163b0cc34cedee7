// A word about what has just happened that stays until it is read; refusals stay longer.

import { announce } from "./announce.js";
import { iconButton } from "./button.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

const SHORT_MS = 4000;

/** @param {string} text @param {{isError?: boolean}} [how] */
export function notice(text, { isError = false } = {}) {
  document.querySelector(".notice")?.remove();
  const close = () => shown.remove();
  const shown = h(
    "div",
    { class: `notice${isError ? " error" : ""}` },
    h("p", text),
    iconButton(t("notice.close"), close, "×"),
  );
  document.body.append(shown);
  announce(text, { urgent: isError });
  if (!isError) setTimeout(close, SHORT_MS);
}
