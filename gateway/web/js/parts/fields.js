// Fields of forms, and forms that say what went wrong where it went wrong.

import { said } from "../api/problems.js";
import { announce } from "../ui/announce.js";
import { h } from "../ui/dom.js";

/**
 * @param {string} label
 * @param {Record<string, any>} input attributes; `name` is needed
 * @param {string} [hint]
 */
export function field(label, input, hint) {
  const id = `field-${input.name}`;
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    h("input", { id, ...input, "aria-describedby": hint ? `${id}-hint` : null }),
    hint ? h("p", { class: "hint", id: `${id}-hint` }, hint) : null,
  );
}

/**
 * One of a few, all to be seen.
 * @param {string} legend @param {string} name @param {[string, string][]} choices value and label
 * @param {string} chosen @param {(value: string) => void} onchange
 */
export function choice(legend, name, choices, chosen, onchange) {
  const options = choices.map(([value, label]) =>
    h(
      "label",
      null,
      h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
      h("span", null, label),
    ),
  );
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", null, legend),
    h("div", { class: "choice-options" }, options),
  );
}

/** @param {string} label @param {boolean} isOn @param {(isOn: boolean) => void} onchange @param {string} [hint] */
export function toggle(label, isOn, onchange, hint) {
  const box = h("input", {
    type: "checkbox",
    checked: isOn,
    onchange: (/** @type {Event} */ event) => onchange(/** @type {HTMLInputElement} */ (event.target).checked),
  });
  return h("label", { class: "toggle" }, box, h("span", null, label, hint ? h("small", null, hint) : null));
}

/**
 * A form that calls `submit` with its values once at a time.
 * @param {any[]} content
 * @param {(values: Record<string, string>) => Promise<void>} submit
 * @param {string} label of its button
 */
export function form(content, submit, label) {
  const problem = h("p", { class: "problem", hidden: true });
  const button = h("button", { type: "submit", class: "button primary" }, label);
  const onsubmit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const filled = /** @type {HTMLFormElement} */ (event.currentTarget);
    const [place, sending] = [filled.querySelector(".problem"), filled.querySelector("button[type=submit]")];
    place?.setAttribute("hidden", "");
    sending?.setAttribute("disabled", "");
    try {
      await submit(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(filled))));
    } catch (error) {
      if (!place) return;
      place.textContent = said(error);
      place.removeAttribute("hidden");
      announce(said(error), { urgent: true });
    } finally {
      sending?.removeAttribute("disabled");
    }
  };
  return h("form", { class: "form", onsubmit }, content, problem, button);
}
