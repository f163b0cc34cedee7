// Doing what a button asks for, once at a time; what goes wrong is said.

import { Refusal, said, Unreachable } from "../api/problems.js";
import { notice } from "./notice.js";

/** @param {() => Promise<any>} work @returns {() => Promise<void>} */
export function doing(work) {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof Unreachable)) throw error;
      notice(said(error), { isError: true });
    } finally {
      isBusy = false;
    }
  };
}
