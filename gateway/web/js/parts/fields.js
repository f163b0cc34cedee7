// Fields of forms, and forms that say what went wrong where it went wrong.

import { said } from "../api/problems.js";
import { announce } from "../ui/announce.js";
import { h, icon, iconButton, t } from "../ui/screen.js";

/**
 * @param {string} label
 * @param {Record<string, any>} input attributes; `name` is needed
 * @param {string} [hint]
 */
export function field(label, input, hint) {
  const id = `field-${input.name}`;
  return h(
    "div.field",
    h("label", { for: id }, label),
    h("input", { id, ...input, "aria-describedby": hint ? `${id}-hint` : null }),
    hint ? h("p.hint", { id: `${id}-hint` }, hint) : null,
  );
}

/** @param {Record<string, any>} [more] attributes */
export const emailField = (more) =>
  field(t("sign.email"), { name: "email", type: "email", autocomplete: "username", required: true, ...more });

/** A field that can be looked at. @param {string} label @param {Record<string, any>} input @param {string} [hint] */
function secret(label, input, hint) {
  const made = field(label, { type: "password", required: true, ...input }, hint);
  const typed = made.querySelector("input");
  const show = () => {
    const isShown = typed.type === "text";
    typed.type = isShown ? "password" : "text";
    eye.ariaPressed = String(!isShown);
  };
  const eye = iconButton(`${t("sign.show")}: ${label}`, show, icon("eye"));
  typed.after(eye);
  return made;
}

/** @param {string} [label] @param {string} [name] */
export const passwordField = (label = t("sign.password"), name = "password") =>
  secret(label, { name, autocomplete: "current-password" });

/** For a password that is given now. @param {string} [label] @param {string} [name] */
export const newPasswordField = (label = t("sign.new_password"), name = "password") =>
  secret(
    label,
    { name, autocomplete: "new-password", minlength: 10, maxlength: 256 },
    t("sign.password_hint"),
  );

/**
 * One of a few, all to be seen.
 * @param {string} legend @param {string} name @param {[string, string][]} choices value and label
 * @param {string} chosen @param {(value: string) => void} onchange
 */
export function choice(legend, name, choices, chosen, onchange) {
  const options = choices.map(([value, label]) =>
    h(
      "label",
      h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
      h("span", label),
    ),
  );
  return h(
    "fieldset.choice",
    h("legend", legend),
    h("div.choice-options", options),
  );
}

/** @param {string} label @param {boolean} isOn @param {(isOn: boolean) => void} onchange @param {string} [hint] */
export function toggle(label, isOn, onchange, hint) {
  const box = h("input", {
    type: "checkbox",
    checked: isOn,
    onchange: (/** @type {Event} */ event) => onchange(/** @type {HTMLInputElement} */ (event.target).checked),
  });
  return h("label.toggle", box, h("span", label, hint ? h("small", hint) : null));
}

/**
 * A form that calls `submit` with its values once at a time.
 * @param {any[]} content
 * @param {(values: Record<string, string>) => Promise<void>} submit
 * @param {string} label of its button
 */
export function form(content, submit, label) {
  const problem = h("p.problem", { hidden: true });
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
  return h("form.form", { onsubmit }, content, problem, button);
}
