// What people who hear the screen get to know without looking for it.

const KEPT = 3;
/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const clearing = new Map();

/**
 * @param {string} text
 * @param {{urgent?: boolean}} [how] urgent: at once, for a refusal
 */
export function announce(text, { urgent = false } = {}) {
  const id = urgent ? "assertive" : "polite";
  const region = document.getElementById(id);
  if (!region || !text) return;
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > KEPT) region.firstElementChild?.remove();
  clearTimeout(clearing.get(id));
  clearing.set(id, setTimeout(() => region.replaceChildren(), 8000));
}
