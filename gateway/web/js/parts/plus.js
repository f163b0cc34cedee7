// Said where only Plus goes on: what it opens, and where a code is redeemed.

import { h, t } from "../ui/screen.js";

export const plusNeeded = () =>
  h(
    "div.strip.warning",
    h("p", t("plus.needed")),
    h("a.button.small", { href: "/settings" }, t("plus.redeem")),
  );
