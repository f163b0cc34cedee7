// For somebody who has never been here: what this is, and one form between them and the first game.

import { signUp } from "../api/people.js";
import { sendAll } from "../offline/waiting.js";
import { emailField, form, newPasswordField } from "../parts/fields.js";
import { guestGames } from "../parts/guests.js";
import { go } from "../router.js";
import { languagePicker } from "../parts/language.js";
import { emblem } from "../parts/emblem.js";
import { h, render, spoken, t } from "../ui/screen.js";

/** @param {HTMLElement} root */
export function welcome(root) {
  const submit = async (/** @type {Record<string, string>} */ { email, password }) => {
    await signUp({ email, password, locale: spoken() });
    sendAll();
    await go("/new");
  };
  const fields = [emailField(), newPasswordField(t("sign.password"))];
  render(root, [
    h(
      "main.welcome",
      { key: "welcome" },
      h(
        "div.welcome-what",
        emblem(),
        h("h1", { tabindex: "-1" }, "Ninety-Eight"),
        h("p.lead", t("welcome.lead")),
      ),
      h(
        "div.welcome-begin",
        h("h2", t("welcome.begin")),
        form(fields, submit, t("sign.up")),
        h("p", t("welcome.known"), " ", h("a", { href: "/sign-in" }, t("sign.in"))),
      ),
      guestGames(),
      h("ul.points", [1, 2, 3].map((it) => h("li", t(`welcome.point${it}`)))),
      h(
        "footer.welcome-foot",
        h("a", { href: "/guide" }, t("welcome.guide")),
        h("a", { href: "/join" }, t("join.title")),
        languagePicker(() => welcome(root)),
      ),
    ),
  ]);
}
