// What is left open of a game: cards laid without their number, to be named now, and entries that were refused.

import { act, discardParked, listParked, readAccess, readLog } from "../api/games.js";
import { newId } from "../api/ids.js";
import { reasonsFor } from "../api/reasons.js";
import { field, form } from "../parts/fields.js";
import { empty, listed, page, section } from "../parts/page.js";
import { actionName } from "../table/words.js";
import { button, doing, h, moment, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root, params, signal }) {
  const [id] = params;
  const load = async () => {
    const [entries, parked, { role }] = await Promise.all([readLog(id), listParked(id), readAccess(id)]);
    const reasons = await reasonsFor(parked.map(({ code }) => ({ code, verdict: "rejected" })), {});
    const open = unnamed(entries).map((it) => (role === "viewer" ? h("p", told(it)) : card(id, it, load)));
    const away = role === "owner" ? load : null;
    const refused = parked.map((it) => kept(id, it, reasons.get(it.code) ?? "", away));
    if (!signal.aborted) render(
      root,
      page(
        { title: t("menu.cards"), back: `/games/${id}` },
        open.length ? section(t("cards.unnamed"), open) : null,
        listed(t("cards.refused"), refused),
        open.length + refused.length ? null : empty(t("games.none")),
      ),
    );
  };
  await load();
}

/** The plays of a log whose card nobody has named yet. @param {any[]} entries @returns {any[]} */
export function unnamed(entries) {
  const standing = entries.filter((it) => it.effective);
  const named = standing.filter((it) => it.action.type === "identify").map((it) => it.action.target);
  const isOpen = (/** @type {any} */ it) => it.type === "play" && !it.card && !named.includes(it.id);
  return standing.filter((it) => isOpen(it.action));
}

/** @param {any} entry */
const told = ({ action, at, recorded_at, parked_at }) =>
  `${actionName(action, action.type)} · ${moment(at ?? recorded_at ?? parked_at)}`;

/** @param {string} id @param {any} entry @param {() => Promise<void>} changed */
function card(id, entry, changed) {
  const target = entry.action.id;
  const name = async (/** @type {Record<string, string>} */ values) => {
    await act(id, [{ id: newId(), type: "identify", target, card: Number(values[target]) }]);
    await changed();
  };
  const input = { name: target, type: "number", inputmode: "numeric", required: true };
  return h("div", { key: target }, form([field(told(entry), input)], name, t("cards.name")));
}

/** @param {string} id @param {any} it @param {string} reason @param {(() => Promise<void>) | null} changed */
function kept(id, it, reason, changed) {
  const away = doing(async () => {
    await discardParked(id, it.action.id);
    await changed?.();
  });
  return h(
    "li.card",
    { key: it.action.id },
    h("span", h("strong", told(it)), h("small", reason)),
    changed ? button(t("strip.dismiss"), away, "small") : null,
  );
}
