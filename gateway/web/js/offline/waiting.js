// Sends what waits on this device, of guests and of whoever is signed in, whichever game is on the screen.

import { Refusal, SignedOut, Unreachable } from "../api/problems.js";
import { GUEST, me } from "../api/session.js";
import { openJournals } from "./journal.js";
import { send } from "./sender.js";

/** Try once for each game; what cannot be sent now waits on. */
export async function sendAll() {
  for (const owner of new Set([GUEST, me()])) {
    for (const id of await openJournals(owner).catch(() => [])) {
      try {
        await send({ id, owner }, new Set());
      } catch (error) {
        if (!(error instanceof Unreachable || error instanceof Refusal || error instanceof SignedOut)) throw error;
      }
    }
  }
}
