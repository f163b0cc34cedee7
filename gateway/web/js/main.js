// Starts the client: its language and looks, its screens, the worker that keeps it on the device.

import { said } from "./api/problems.js";
import { notice } from "./ui/notice.js";
import { onAnotherPerson } from "./api/session.js";
import { arrive, start } from "./router.js";
import { apply, language } from "./ui/preferences.js";
import { speak } from "./ui/i18n.js";
import { sendAll } from "./offline/waiting.js";

// What nobody foresaw, such as a full disk, is said too.
window.addEventListener("unhandledrejection", ({ reason }) => notice(said(reason), { isError: true }));
apply();
await speak(language());
start(/** @type {HTMLElement} */ (document.getElementById("screen")));
sendAll();
window.addEventListener("online", sendAll);
onAnotherPerson(arrive);
navigator.storage?.persist?.().catch(() => {});
if ("serviceWorker" in navigator) {
  // The first worker sees which language is needed without a network.
  navigator.serviceWorker.addEventListener("controllerchange", () => speak(language()));
  navigator.serviceWorker.register("/sw.js").catch(() => {});
}
