// For somebody who has never been here: what this is, and one form between them and the first game.

import { signUp } from "../api/people.js";
import { sendAll } from "../offline/waiting.js";
import { field, form } from "../parts/fields.js";
import { guestGames } from "../parts/guests.js";
import { go } from "../router.js";
import { h } from "../ui/dom.js";
import { spoken, t } from "../ui/i18n.js";
import { render } from "../ui/morph.js";
import { languagePicker } from "../parts/language.js";
import { emblem } from "../parts/emblem.js";

/** @param {HTMLElement} root */
export function welcome(root) {
  const submit = async (/** @type {Record<string, string>} */ { email, password }) => {
    await signUp({ email, password, locale: spoken() });
    sendAll();
    await go("/new");
  };
  const fields = [
    field(t("sign.email"), { name: "email", type: "email", autocomplete: "username", required: true }),
    field(
      t("sign.password"),
      {
        name: "password",
        type: "password",
        autocomplete: "new-password",
        minlength: 10,
        maxlength: 256,
        required: true,
      },
      t("sign.password_hint"),
    ),
  ];
  render(root, [
    h(
      "main",
      { class: "welcome", key: "welcome" },
      h(
        "div",
        { class: "welcome-what" },
        emblem(),
        h("h1", { tabindex: "-1" }, "Ninety-Eight"),
        h("p", { class: "lead" }, t("welcome.lead")),
      ),
      h(
        "div",
        { class: "welcome-begin" },
        h("h2", null, t("welcome.begin")),
        form(fields, submit, t("sign.up")),
        h("p", null, t("welcome.known"), " ", h("a", { href: "/sign-in" }, t("sign.in"))),
      ),
      guestGames(),
      h("ul", { class: "points" }, [1, 2, 3].map((it) => h("li", null, t(`welcome.point${it}`)))),
      h(
        "footer",
        { class: "welcome-foot" },
        h("a", { href: "/guide" }, t("welcome.guide")),
        h("a", { href: "/join" }, t("join.title")),
        languagePicker(() => welcome(root)),
      ),
    ),
  ]);
}
