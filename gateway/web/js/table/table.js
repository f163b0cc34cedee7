// One game on this device: what the gateway told of it, what was entered since, who else looks at it.

import { newId } from "../api/ids.js";
import { readGame, readLog } from "../api/games.js";
import { follow } from "../api/live.js";
import { Refusal, said, SignedOut, Unreachable } from "../api/problems.js";
import { guest } from "../api/session.js";
import { append, keepGame, keptGame, onJournal, readJournal, record } from "../offline/journal.js";
import { fold } from "../offline/fold.js";
import { send } from "../offline/sender.js";
import { deviceName } from "../ui/preferences.js";
import { project } from "./projection.js";

const REMEMBERED = 60; // entries whose cards an undo is named by
const AGAIN_MS = 3000;

/** @typedef {import("../offline/fold.js").Action} Action */

/** Dispatches `change`, `refused` and `accepted` (both with what happened as `detail`). */
export class Table extends EventTarget {
  /** @type {any} */
  game = null;
  journal = fold([]);
  /** @type {any[]} */
  devices = [];
  /** @type {"connecting" | "live" | "away" | "ended"} */
  connection = "connecting";
  /** Instructions of the last entry and who entered it. @type {{instructions: any[], warnings: string[]}} */
  last = { instructions: [], warnings: [] };
  /** Actions by id, as far as they were seen. @type {Map<string, Action>} */
  actions = new Map();
  /** Ids of what was entered with the game as it is on the screen. @type {Set<string>} */
  #fresh = new Set();
  /** Ids of what was refused at once: the next entry shows that it was read. @type {Set<string>} */
  #refused = new Set();
  /** Entered, perhaps not in the journal yet. @type {Action[]} */
  #entering = [];
  #isSending = false;
  #isWanted = false;
  #isStreaming = false;

  /** @param {string} id @param {AbortSignal} signal ends everything it does */
  constructor(id, signal) {
    super();
    this.id = id;
    this.signal = signal;
    onJournal((gameId) => gameId === id && this.#reread(), signal);
    const back = () => {
      if (this.#isStreaming) this.connection = "live";
      this.send();
    };
    window.addEventListener("online", back, { signal });
  }

  /** Read the game, from this device first; throws what the gateway refuses. */
  async open() {
    [this.game = null, this.journal] = await Promise.all([keptGame(this.id), readJournal(this.id)]);
    if (this.game) this.#changed();
    try {
      await this.refresh();
      await this.#remember();
    } catch (error) {
      if (!(error instanceof Unreachable) || !this.game) throw error;
      this.connection = "away";
      this.#changed();
    }
    this.send();
    follow(this.id, deviceName(), this.#listener(), this.signal);
  }

  /** The role of whoever uses this device: people who only watch enter nothing. */
  get mayEnter() {
    return guest(this.id)?.role !== "viewer" && this.connection !== "ended";
  }

  /** Entered and not answered yet. @returns {Action[]} */
  get pending() {
    const journalled = new Set(this.journal.pending.map((it) => it.id));
    const all = [...this.journal.pending, ...this.#entering.filter((it) => !journalled.has(it.id))];
    return all.filter((it) => !this.actions.has(it.id));
  }

  view() {
    return project(this.game, this.pending);
  }

  /** Enter an action: shown at once, written down, sent. @param {Omit<Action, "id">} wanted */
  async enter(wanted) {
    const action = { id: newId(), ...wanted, at: new Date().toISOString() };
    this.last = { instructions: [], warnings: [] };
    this.#entering.push(action);
    if (this.connection === "live" && !this.journal.overtaken) this.#fresh.add(action.id);
    this.#changed();
    const read = this.journal.refused.map((it) => it.action.id).filter((it) => this.#refused.has(it));
    if (read.length) await append(this.id, { dismissed: read });
    await record(this.id, action, this.game.version);
    await this.#reread();
    this.#entering = this.#entering.filter((it) => it !== action);
    await this.send();
  }

  /** Send what waits. */
  async send() {
    this.#isWanted = true;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await send(this.id, this.#fresh, (it) => this.#answered(it));
        await this.#reread();
      }
    } catch (error) {
      this.#notSent(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** Read the game anew. */
  async refresh() {
    const game = await readGame(this.id);
    if (!this.game || game.version >= this.game.version) this.#take(game);
  }

  /** Write a decision of a person down. @param {any} line */
  async note(line) {
    await append(this.id, line);
    await this.#reread();
    await this.send();
  }

  /** What is physically to do is done. */
  carryOut() {
    this.last = { instructions: [], warnings: [] };
    this.#changed();
  }

  /** @param {unknown} error */
  #notSent(error) {
    if (error instanceof Unreachable || (error instanceof Refusal && error.passes)) {
      if (this.connection === "live") this.connection = navigator.onLine ? "connecting" : "away";
      setTimeout(() => !this.signal.aborted && this.send(), AGAIN_MS);
    } else if (error instanceof SignedOut || error instanceof Refusal) {
      this.dispatchEvent(new CustomEvent("refused", { detail: { reason: said(error), code: "" } }));
    } else throw error;
    this.#changed();
  }

  /** @param {any} game */
  #take(game) {
    this.game = game;
    keepGame(game);
    this.#changed();
  }

  async #remember() {
    const after = Math.max(0, this.game.version - REMEMBERED);
    for (const { action } of await readLog(this.id, { after })) this.actions.set(action.id, action);
    this.#changed();
  }

  async #reread() {
    this.journal = await readJournal(this.id);
    this.#changed();
  }

  /** @param {import("../offline/sender.js").Answered} answer */
  #answered({ actions, outcomes, game }) {
    const judged = outcomes.map((outcome, index) => ({ action: actions[index], outcome }));
    for (const { action, outcome } of judged) {
      if (this.#fresh.delete(action.id) && outcome.verdict === "rejected") this.#refused.add(action.id);
      this.#entering = this.#entering.filter((it) => it.id !== action.id);
      if (outcome.verdict !== "rejected") this.actions.set(action.id, action);
    }
    if (this.#isStreaming) this.connection = "live";
    const { action, outcome } = judged.at(-1) ?? {};
    if (outcome) this.last = { instructions: outcome.instructions ?? [], warnings: outcome.warnings ?? [] };
    if (game && game.version >= this.game.version) this.#take(game);
    else this.refresh().catch(() => {});
    const name = outcome?.verdict === "rejected" ? "refused" : "accepted";
    this.dispatchEvent(new CustomEvent(name, { detail: { action, ...outcome } }));
  }

  /** @returns {import("../api/live.js").Listener} */
  #listener() {
    return {
      seq: () => this.game.version,
      entry: (seen) => this.#seen(seen),
      presence: (devices) => {
        this.devices = devices;
        this.#changed();
      },
      connected: (is) => {
        if (is && this.connection === "live") return;
        this.#isStreaming = is;
        this.connection = is ? "live" : navigator.onLine ? "connecting" : "away";
        this.#changed();
        if (is) this.send();
      },
      ended: () => {
        this.connection = "ended";
        this.#changed();
      },
    };
  }

  /** @param {import("../api/live.js").Seen} seen */
  #seen({ entry, table, result }) {
    const { action } = entry;
    const isOwn = this.pending.some((it) => it.id === action.id);
    this.actions.set(action.id, action);
    this.last = { instructions: entry.instructions, warnings: [] };
    const isPlain = !["undo", "redo", "rewind", "adopt", "resolve", "identify"].includes(action.type);
    const references = isPlain ? { undo: { target: action.id, type: action.type }, redo: null } : {};
    this.#take({ ...this.game, version: entry.seq, table, result, ...references });
    if (!isPlain) this.refresh().catch(() => {});
    if (!isOwn) this.dispatchEvent(new CustomEvent("accepted", { detail: { action, ...entry, isOther: true } }));
  }

  #changed() {
    if (!this.signal.aborted && this.game) this.dispatchEvent(new Event("change"));
  }
}
