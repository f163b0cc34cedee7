// Said where only Plus goes on: what it opens, and where a code is redeemed.

import { h } from "../ui/dom.js";
import { t } from "../ui/i18n.js";

export const plusNeeded = () =>
  h(
    "div",
    { class: "strip warning" },
    h("p", null, t("plus.needed")),
    h("a", { class: "button small", href: "/settings" }, t("plus.redeem")),
  );
