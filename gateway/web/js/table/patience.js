// Trying again later, and later still: one timer at a time.

const FIRST_S = 3;
const LONGEST_S = 60;

export class Patience {
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {() => void} work @param {AbortSignal} signal ends it */
  constructor(work, signal) {
    this.work = work;
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  /** Try again, after `afterS` seconds where somebody has said so. @param {number | null} [afterS] */
  later(afterS) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.work, 1000 * (afterS ?? Math.min(FIRST_S * 2 ** this.#failures, LONGEST_S)));
    this.#failures += 1;
  }

  /** It has succeeded. */
  done() {
    clearTimeout(this.#timer);
    this.#failures = 0;
  }
}
