// Settings: this device, this account, one's data, and the way out.

import { changeMe, changePassword, deleteMe, exportMe, readMe, redeem, signOut } from "../api/people.js";
import { passes } from "../api/problems.js";
import { account, me } from "../api/session.js";
import { removeAll } from "../offline/database.js";
import { openJournals } from "../offline/journal.js";
import { choice, field, form, newPasswordField, passwordField, toggle } from "../parts/fields.js";
import { languagePicker } from "../parts/language.js";
import { page, section } from "../parts/page.js";
import { go } from "../router.js";
import { deviceName, prefer, preferences } from "../ui/preferences.js";
import { saveAs } from "../ui/saving.js";
import { agreed, button, doing, h, notice, render, t } from "../ui/screen.js";

/** @param {import("../router.js").Place} place */
export async function show({ root, signal }) {
  const draw = () => {
    if (!signal.aborted) render(
      root,
      page(
        { title: t("nav.settings"), back: account() ? null : "/" },
        device(draw),
        account() ? person(draw) : null,
        about(),
      ),
    );
  };
  draw();
  if (!account()) return;
  await readMe().catch((error) => {
    if (!passes(error)) throw error;
  });
  draw();
}

/** @param {() => void} draw */
function device(draw) {
  const now = preferences();
  const pairs = (/** @type {string} */ group, /** @type {string[]} */ values) =>
    values.map((it) => /** @type {[string, string]} */ ([it, t(`${group}.${it}`)]));
  return section(
    t("settings.device"),
    languagePicker(draw),
    choice(
      t("theme.label"),
      "theme",
      pairs("theme", ["system", "light", "dark"]),
      now.theme,
      (theme) => prefer({ theme: /** @type {any} */ (theme) }),
    ),
    choice(
      t("size.label"),
      "size",
      pairs("size", ["normal", "large", "huge"]),
      now.size,
      (size) => prefer({ size: /** @type {any} */ (size) }),
    ),
    toggle(t("settings.keys"), now.keys, (keys) => prefer({ keys }), t("settings.keys_hint")),
    field(
      t("settings.name"),
      {
        name: "device",
        value: deviceName(),
        maxlength: 60,
        autocomplete: "off",
        onchange: (/** @type {any} */ event) => prefer({ device: event.target.value.trim() || null }),
      },
      t("settings.name_hint"),
    ),
  );
}

/** @param {() => void} draw */
function person(draw) {
  const plus = async (/** @type {Record<string, string>} */ { code }) => {
    await redeem(code.trim());
    await readMe();
    notice(t("plus.done"));
    draw();
  };
  const name = async (/** @type {Record<string, string>} */ values) => {
    await changeMe({ display_name: values.name.trim() || null });
    notice(t("settings.saved"));
    draw();
  };
  const password = async (/** @type {Record<string, string>} */ { current, fresh }) => {
    await changePassword(current, fresh);
    notice(t("settings.password_done"));
  };
  const save = doing(async () => saveAs("ninety-eight.json", new Blob([JSON.stringify(await exportMe(), null, 2)])));
  return section(
    t("settings.account"),
    h("p", [account()?.display_name, account()?.email].filter(Boolean).join(" · ")),
    h("a.button", { href: "/players" }, t("players.title")),
    account()?.plan === "plus"
      ? h("p.strip", t("plus.have"))
      : folded(
        t("plus.redeem"),
        h("p.hint", t("plus.what")),
        form([field(t("reset.code"), { name: "code", required: true, autocomplete: "off" })], plus, t("plus.submit")),
      ),
    account()?.plan === "plus" ? h("a.button", { href: "/conflicts" }, t("conflict.title")) : null,
    folded(
      t("settings.your_name"),
      form(
        [
          field(
            t("settings.your_name"),
            { name: "name", value: account()?.display_name ?? "", maxlength: 60, autocomplete: "name" },
            t("settings.your_name_hint"),
          ),
        ],
        name,
        t("players.rename"),
      ),
    ),
    folded(
      t("settings.password"),
      form(
        [passwordField(t("sign.current_password"), "current"), newPasswordField(undefined, "fresh")],
        password,
        t("settings.password"),
      ),
    ),
    button(t("settings.export"), save),
    button(t("settings.sign_out"), doing(() => leave(false))),
    button(t("settings.sign_out_everywhere"), doing(() => leave(true))),
    folded(
      t("settings.delete"),
      h("p.hint", t("settings.delete_text")),
      form([passwordField()], remove, t("settings.delete")),
    ),
  );
}

/** @param {string} title @param {...any} content */
const folded = (title, ...content) => h("details.folded", h("summary", title), ...content);

const about = () =>
  section(
    t("settings.about"),
    h("p.hint", t("settings.about_text")),
    h("p", h("a", { href: "/docs" }, t("settings.api"))),
  );

/** @param {boolean} everywhere */
async function leave(everywhere) {
  const owner = me();
  const waiting = await openJournals(owner);
  const text = t("settings.unsent", { n: waiting.length });
  if (waiting.length && !(await agreed(t("settings.unsent_title"), text, t("settings.sign_out")))) return;
  const isTold = await signOut(everywhere);
  if (!waiting.length) await removeAll(owner);
  if (!isTold) notice(t("settings.only_here"), { isError: true });
  await go("/");
}

/** @param {Record<string, string>} values */
async function remove({ password }) {
  const kept = me();
  await deleteMe(password);
  await removeAll(kept);
  notice(t("settings.deleted"));
  await go("/");
}
