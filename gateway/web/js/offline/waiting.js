// Sends what waits on this device, whichever game is on the screen.

import { Refusal, SignedOut, Unreachable } from "../api/problems.js";
import { session } from "../api/session.js";
import { openJournals } from "./journal.js";
import { send } from "./sender.js";

/** Try once for each game; what cannot be sent now waits on. */
export async function sendAll() {
  if (!session()) return;
  for (const gameId of await openJournals()) {
    try {
      await send(gameId, new Set());
    } catch (error) {
      if (error instanceof SignedOut) return;
      if (!(error instanceof Unreachable || error instanceof Refusal)) throw error;
    }
  }
}
