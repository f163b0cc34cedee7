// For somebody who has never been here: what this is, and one form between them and the first game.

import { signIn, signUp } from "../api/people.js";
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
    let to = "/new";
    try {
      await signUp({ email, password, locale: spoken() });
    } catch (/** @type {any} */ error) {
      if (error.code !== "email_taken") throw error;
      // Whoever forgot that they have been here gets in with what they typed all the same
      await signIn(email, password).catch(() => {
        throw error;
      });
      to = "/";
    }
    sendAll();
    await go(to);
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
      guestGames(),
      h(
        "div.welcome-begin",
        h("h2", t("welcome.begin")),
        form(fields, submit, t("sign.up")),
        h(
          "p.row",
          t("welcome.known"),
          h("a", { href: "/sign-in" }, t("sign.in")),
          h("a", { href: "/join" }, t("join.title")),
        ),
      ),
      h("ul.points", [1, 2, 3].map((it) => h("li", t(`welcome.point${it}`)))),
      h(
        "footer.welcome-foot",
        h("a", { href: "/guide" }, t("welcome.guide")),
        languagePicker(() => welcome(root)),
      ),
    ),
  ]);
}
