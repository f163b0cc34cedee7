// Gives a file to whoever uses this device.

import { h } from "./dom.js";

/** @param {string} name @param {Blob} content */
export function saveAs(name, content) {
  const url = URL.createObjectURL(content);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
