// Signing in, and a new password with a code that an operator has given.

import { resetPassword, signIn } from "../api/people.js";
import { sendAll } from "../offline/waiting.js";
import { field, form } from "../parts/fields.js";
import { page } from "../parts/page.js";
import { go } from "../router.js";
import { h } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { notice } from "../ui/notice.js";
import { render } from "../ui/morph.js";

/** @param {import("../router.js").Place} place */
export function show({ root, params }) {
  if (params[0] === "reset") return reset(root);
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  const submit = async (/** @type {Record<string, string>} */ { email, password }) => {
    await signIn(email, password);
    sendAll();
    await go(/^\/(?![\\/])/.test(to) ? to : "/", { replaces: true });
  };
  const fields = [
    field(t("sign.email"), { name: "email", type: "email", autocomplete: "username", required: true }),
    field(
      t("sign.password"),
      { name: "password", type: "password", autocomplete: "current-password", required: true },
    ),
  ];
  render(
    root,
    page(
      { title: t("sign.in"), back: "/" },
      form(fields, submit, t("sign.in")),
      h("p", null, h("a", { href: "/" }, t("sign.new_here"))),
      h("p", null, h("a", { href: "/reset" }, t("sign.forgotten"))),
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
    h("p", null, t("reset.text")),
    field(t("reset.code"), { name: "code", autocomplete: "one-time-code", required: true }),
    field(
      t("sign.new_password"),
      { name: "password", type: "password", autocomplete: "new-password", minlength: 10, required: true },
      t("sign.password_hint"),
    ),
  ];
  render(root, page({ title: t("reset.title"), back: "/sign-in" }, form(fields, submit, t("reset.submit"))));
}
