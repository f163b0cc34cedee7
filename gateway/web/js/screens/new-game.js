// A new game: who plays, in which order, how hard; then who starts.

import { createPlayer, listPlayers } from "../api/people.js";
import { again } from "../parts/again.js";
import { choice, toggle } from "../parts/fields.js";
import { page, section } from "../parts/page.js";
import { button, doing, h, icon, render, t } from "../ui/screen.js";

const MOST = 5;

/** @param {import("../router.js").Place} place */
export async function show({ root }) {
  const players = (await listPlayers()).filter((it) => !it.archived && !it.merged_into);
  const hint = t(players.length ? "new.order" : "new.first");
  /** @type {string[]} ids in the order of seats */
  const seated = [];
  const options = { difficulty: "normal", reduced_hand: false };

  const toggled = (/** @type {string} */ id) => {
    const place = seated.indexOf(id);
    if (place >= 0) seated.splice(place, 1);
    else if (seated.length < MOST) seated.push(id);
    draw();
  };
  const input = () => /** @type {HTMLInputElement | null} */ (root.querySelector("#new-name"));
  const typed = () => input()?.value.trim() ?? "";
  const add = async (/** @type {SubmitEvent | null} */ event) => {
    event?.preventDefault();
    const name = typed();
    if (!name) return;
    await doing(async () => {
      const known = players.find((it) => it.name.toLowerCase() === name.toLowerCase());
      const player = known ?? (await createPlayer(name));
      if (!known) players.push(player);
      if (!seated.includes(player.id) && seated.length < MOST) seated.push(player.id);
      /** @type {HTMLInputElement} */ (input()).value = "";
      if (event) input()?.focus();
    })();
    draw();
  };
  const begin = async () => {
    // Whoever is typed but not added plays too
    await add(null);
    if (!seated.length || typed()) return;
    const chosen = seated.map(
      (id) => players.find((it) => it.id === id),
    ).map((it) => ({ player_id: it.id, name: it.name }));
    return again({ players: chosen, options });
  };

  function draw() {
    const isFull = seated.length >= MOST;
    const count = Math.min(MOST, seated.length + (typed() ? 1 : 0));
    render(
      root,
      page(
        { title: t("new.title"), back: "/" },
        section(
          t("new.who"),
          h("p.hint", hint),
          h("div.people", players.map((it) => person(it, seated.indexOf(it.id), isFull, toggled))),
          h(
            "form.add",
            { onsubmit: add },
            h("label", { for: "new-name", class: "for-readers" }, t("new.name")),
            h(
              "input",
              {
                id: "new-name",
                placeholder: t("new.name"),
                autocomplete: "off",
                maxlength: 60,
                disabled: isFull,
                enterkeyhint: "done",
                autofocus: !players.length,
                oninput: draw,
              },
            ),
            h("button", { type: "submit", class: "button", disabled: isFull }, icon("plus"), t("new.add")),
          ),
        ),
        section(
          t("new.how"),
          choice(
            t("difficulty.label"),
            "difficulty",
            [["normal", t("difficulty.normal")], ["expert", t("difficulty.expert")]],
            options.difficulty,
            (it) => (options.difficulty = it),
          ),
          toggle(t("reduced.label"), options.reduced_hand, (it) => (options.reduced_hand = it), t("reduced.hint")),
        ),
        button(
          count ? t("new.begin", { n: count }) : t("new.nobody"),
          begin,
          "primary big sticky",
          { disabled: !count },
        ),
      ),
    );
  }
  draw();
}

/** @param {any} player @param {number} seat @param {boolean} isFull @param {(id: string) => void} toggled */
function person({ id, name }, seat, isFull, toggled) {
  const isSeated = seat >= 0;
  return h(
    "button",
    {
      type: "button",
      key: id,
      class: "person",
      "aria-pressed": String(isSeated),
      disabled: isFull && !isSeated,
      onclick: () => toggled(id),
    },
    isSeated ? h("span.person-seat", String(seat + 1)) : null,
    name,
  );
}
