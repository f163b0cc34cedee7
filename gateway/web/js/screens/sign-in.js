// Signing in, and a new password with a code that an operator has given.

import { resetPassword, signIn } from "../api/people.js";
import { sendAll } from "../offline/waiting.js";
import { emailField, field, form, newPasswordField, passwordField } from "../parts/fields.js";
import { page } from "../parts/page.js";
import { go } from "../router.js";
import { h, notice, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export function show({ root, params }) {
  if (params[0] === "reset") return reset(root);
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  const submit = async (/** @type {Record<string, string>} */ { email, password }) => {
    await signIn(email, password);
    sendAll();
    await go(/^\/(?![\\/])/.test(to) ? to : "/", { replaces: true });
  };
  const fields = [emailField({ autofocus: true }), passwordField()];
  render(
    root,
    page(
      { title: t("sign.in"), back: "/" },
      form(fields, submit, t("sign.in")),
      h(
        "p.row",
        h("a", { href: "/" }, t("sign.new_here")),
        h("a", { href: "/reset" }, t("sign.forgotten")),
      ),
    ),
  );
}

/** @param {HTMLElement} root */
function reset(root) {
  const submit = async (/** @type {Record<string, string>} */ { code, password }) => {
    await resetPassword(code.trim(), password);
    notice(t("reset.done"));
    await go("/sign-in");
  };
  const fields = [
    h("p", t("reset.text")),
    field(t("reset.code"), { name: "code", value: location.hash.slice(1), autocomplete: "one-time-code", required: true }),
    newPasswordField(),
  ];
  render(root, page({ title: t("sign.new_password"), back: "/sign-in" }, form(fields, submit, t("reset.submit"))));
}
