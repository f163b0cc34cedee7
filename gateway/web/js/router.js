// Which screen an address shows; links inside the client do not load a page.

import { SignedOut, said, Unreachable } from "./api/problems.js";
import { page } from "./parts/page.js";
import { backSettled, onBack } from "./ui/back.js";
import { button, h, render, t } from "./ui/screen.js";

/**
 * @typedef {{root: HTMLElement, params: string[], signal: AbortSignal}} Place
 * @typedef {{show: (place: Place) => Promise<void> | void}} Screen
 * @type {[RegExp, () => Promise<Screen>][]}
 */
const SCREENS = [
  [/^\/$/, () => import("./screens/home.js")],
  [/^\/(sign-in|reset)$/, () => import("./screens/sign-in.js")],
  [/^\/new$/, () => import("./screens/new-game.js")],
  [/^\/games\/([^/]+)$/, () => import("./screens/table.js")],
  [/^\/games\/([^/]+)\/replay$/, () => import("./screens/replay.js")],
  [/^\/games\/([^/]+)\/share$/, () => import("./screens/share.js")],
  [/^\/games\/([^/]+)\/adopt$/, () => import("./screens/adopt.js")],
  [/^\/games\/([^/]+)\/cards$/, () => import("./screens/cards.js")],
  [/^\/games$/, () => import("./screens/games.js")],
  [/^\/join$/, () => import("./screens/join.js")],
  [/^\/players$/, () => import("./screens/players.js")],
  [/^\/stats$/, () => import("./screens/stats.js")],
  [/^\/settings$/, () => import("./screens/settings.js")],
  [/^\/guide$/, () => import("./screens/guide.js")],
  [/^\/guide\/([^/]+)$/, () => import("./screens/guide.js")],
  [/^\/conflicts$/, () => import("./screens/conflicts.js")],
  [/^\/conflicts\/([^/]+)$/, () => import("./screens/conflict.js")],
];

/** @type {HTMLElement} */
let root;
let leaving = new AbortController();

/** @param {HTMLElement} element where screens are shown */
export function start(element) {
  root = element;
  onBack(arrive);
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[href]");
    const isPlain = !event.defaultPrevented && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!(link instanceof HTMLAnchorElement) || !isPlain || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || !SCREENS.some(([path]) => path.test(link.pathname))) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
  arrive();
}

/** @param {string} address @param {{replaces?: boolean}} [how] */
export async function go(address, { replaces = false } = {}) {
  await backSettled();
  if (replaces) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  return arrive();
}

/** Show what the address says. */
export async function arrive() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const [path, load] = SCREENS.find(([it]) => it.test(location.pathname)) ?? [];
  let again = arrive;
  try {
    if (!load) return lost(t("lost.text"));
    const screen = await load().catch(() => {
      again = async () => location.reload(); // some browsers try a part that has not come only then
      throw new Unreachable();
    });
    if (signal.aborted) return;
    const params = (location.pathname.match(/** @type {RegExp} */ (path)) ?? []).slice(1).map(decodeURIComponent);
    await screen.show({ root, params, signal });
    if (!signal.aborted) settle();
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof SignedOut) return go(
      `/sign-in?to=${encodeURIComponent(location.pathname)}`,
      { replaces: true },
    );
    lost(said(error), error instanceof Unreachable ? t("live.away") : undefined, again);
  }
}

/** @param {string} text @param {string} [title] @param {() => Promise<void>} [again] */
function lost(text, title = t("lost.title"), again = arrive) {
  render(root, page({ title, back: "/" }, h("p", text), button(t("lost.again"), again, "primary")));
  settle();
}

/** A new screen begins at its top, and whoever hears it hears its heading. */
function settle() {
  window.scrollTo(0, 0);
  const heading = entitle();
  /** @type {HTMLElement | null} */ (root.querySelector("[autofocus]") ?? heading)?.focus({ preventScroll: true });
}

/** Call the page as its heading does. */
export function entitle() {
  const heading = root.querySelector("h1");
  document.title = [...new Set([heading?.textContent, "Ninety-Eight"])].filter(Boolean).join(" · ");
  return heading;
}
