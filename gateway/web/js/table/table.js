// One game on this device: what the gateway told of it, what was entered since, who else looks at it.

import { newId } from "../api/ids.js";
import { act, readGame, readLatest, readShared } from "../api/games.js";
import { follow } from "../api/live.js";
import { passes, Refusal, said, SignedOut } from "../api/problems.js";
import { isOwner, ownerOf, roleIn } from "../api/session.js";
import { append, keepGame, keptGame, onJournal, readJournal, record, settled } from "../offline/journal.js";
import { fold } from "../offline/fold.js";
import { send } from "../offline/sender.js";
import { t } from "../ui/i18n.js";
import { deviceName } from "../ui/preferences.js";
import { Patience } from "./patience.js";
import { project, referencesAfter } from "./projection.js";

/** @typedef {import("../offline/fold.js").Action} Action */

/** Dispatches `change`, `refused` and `accepted` (what happened is `detail`), `left` when nobody is signed in. */
export class Table extends EventTarget {
  /** @type {any} */
  game = null;
  journal = fold([]);
  /** @type {any[]} */
  devices = [];
  /** @type {"connecting" | "live" | "away" | "ended"} */
  connection = "connecting";
  ended = ""; // why nothing comes any more
  stuck = ""; // why what was entered cannot be sent, until somebody decides
  /** Instructions of the last entry, and warnings. @type {{instructions: any[], warnings: string[]}} */
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
    this.owner = ownerOf(id); // and so it stays, whoever signs in or out meanwhile
    this.signal = signal;
    this.patience = new Patience(() => this.send(), signal);
    onJournal((gameId) => gameId === id && this.#reread(), signal);
    const back = () => {
      if (this.#isStreaming) this.connection = "live";
      this.send();
    };
    window.addEventListener("online", back, { signal });
    window.addEventListener("offline", () => !this.ended && this.#become({ connection: "away" }), { signal });
  }

  /** Read the game, from this device first; throws what the gateway refuses. */
  async open() {
    this.game = await keptGame(this);
    await this.#reread();
    try {
      await this.refresh(readShared);
      for (const it of await readLatest(this.id, this.game.version)) this.actions.set(it.id, it);
    } catch (error) {
      if (!passes(error) || !this.game) throw error;
      this.connection = "away";
    }
    this.#changed();
    this.send();
    follow(this.id, deviceName(), this.#listener(), this.signal);
  }

  /** People who only watch enter nothing. */
  get mayEnter() {
    return roleIn(this.game) !== "viewer" && this.connection !== "ended";
  }

  /** Entered and not answered yet. @returns {Action[]} */
  get pending() {
    const journalled = new Set(this.journal.pending.map((it) => it.id));
    const all = [...this.journal.pending, ...this.#entering.filter((it) => !journalled.has(it.id))];
    return all.filter((it) => !this.actions.has(it.id));
  }

  view() {
    const view = project(this.game, this.pending);
    // Only its owner reopens a game
    return view.undo?.type === "confirm" && !isOwner(this.game) ? { ...view, undo: null } : view;
  }

  /** Enter an action: shown at once, written down, sent. @param {Omit<Action, "id">} wanted */
  async enter(wanted) {
    const action = { id: newId(), ...wanted, at: new Date().toISOString() };
    this.last = { instructions: [], warnings: [] };
    const isCurrent = this.pending.every((it) => this.#fresh.has(it.id)) && !this.journal.overtaken;
    if (this.connection === "live" && isCurrent) this.#fresh.add(action.id);
    this.#entering.push(action);
    this.#changed();
    const read = this.journal.refused.map((it) => it.action.id).filter((it) => this.#refused.has(it));
    try {
      if (read.length) await append(this, { dismissed: read });
      await record(this, action, this.game.version);
    } catch {
      return this.#unkept(action);
    }
    await this.#reread();
    this.#entering = this.#entering.filter((it) => it !== action);
    await this.send();
  }

  /** What this device cannot keep is sent at once, or taken back and said so. @param {Action} action */
  async #unkept(action) {
    let reason = t("offline.unkept");
    try {
      if (this.connection === "live" && this.pending.length === 1) {
        const { game, outcomes } = await act(this.id, [action], undefined, deviceName());
        return this.#answered({ judged: [{ action, outcome: outcomes[0] }], game });
      }
    } catch (error) {
      if (error instanceof Refusal && !error.passes) reason = said(error);
    }
    this.#entering = this.#entering.filter((it) => it !== action);
    this.#changed();
    this.#happened("refused", { reason });
  }

  /** Send what waits. */
  async send() {
    this.#isWanted = true;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await send(this, this.#fresh, (it) => this.#answered(it));
        this.patience.done();
        this.stuck = "";
        await this.#reread();
      }
    } catch (error) {
      this.#notSent(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** Read the game anew. @param {(id: string) => Promise<any>} [read] */
  async refresh(read = readGame) {
    const game = await read(this.id);
    if (!this.game || game.version >= this.game.version) this.#take(game);
  }

  /** Write a decision of a person down. @param {any} line */
  async note(line) {
    await append(this, line);
    await this.#reread();
    await this.send();
  }

  /** What is physically to do is done. */
  carryOut() {
    this.#become({ last: { instructions: [], warnings: [] } });
  }

  /** @param {unknown} error */
  #notSent(error) {
    if (passes(error)) {
      if (this.connection === "live") this.connection = navigator.onLine ? "connecting" : "away";
      this.patience.later(error.retryAfterS);
    } else if (error instanceof SignedOut) this.dispatchEvent(new Event("left"));
    else if (error instanceof Refusal) this.stuck = said(error);
    else if (!(error instanceof DOMException)) throw error; // no storage: said where something is entered
    this.#changed();
  }

  /** @param {any} game */
  #take(game) {
    this.#become({ game: { access: this.game?.access, ...game } });
    keepGame(this.game, this.owner);
  }

  async #reread() {
    this.#become({ journal: await readJournal(this).catch(() => this.journal) });
  }

  /** @param {import("../offline/sender.js").Answered} answer */
  #answered({ judged, game }) {
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
    for (const it of judged) if (it.outcome.verdict === "rejected") this.#happened("refused", { ...it.outcome, ...it });
    if (outcome && outcome.verdict !== "rejected") this.#happened("accepted", { action, ...outcome });
  }

  /** @returns {import("../api/live.js").Listener} */
  #listener() {
    return {
      seq: () => this.game.version,
      entry: (seen) => this.#seen(seen),
      presence: (devices) => this.#become({ devices }),
      connected: (is) => {
        if (is && this.connection === "live") return;
        this.#isStreaming = is;
        this.#become({ connection: is ? "live" : navigator.onLine ? "connecting" : "away" });
        if (is) this.send();
      },
      ended: (error) => {
        this.#become({ connection: "ended", ended: isOwner(this.game) ? said(error) : t("live.ended") });
        if (error instanceof SignedOut) this.dispatchEvent(new Event("left"));
      },
    };
  }

  /** @param {import("../api/live.js").Seen} seen */
  #seen({ entry, table, result }) {
    const { action } = entry;
    const isOwn = this.pending.some((it) => it.id === action.id);
    this.actions.set(action.id, action);
    this.last = { instructions: entry.instructions, warnings: [] };
    const references = referencesAfter(action);
    this.#take({ ...this.game, version: entry.seq, table, result, ...references });
    if (!references) this.refresh().catch(() => {});
    if (action.conflict_id) settled(this, action.conflict_id);
    if (!isOwn) this.#happened("accepted", entry);
  }

  /** @param {string} name @param {any} detail */
  #happened(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {Partial<Table>} changes */
  #become(changes) {
    Object.assign(this, changes);
    this.#changed();
  }

  #changed() {
    if (!this.signal.aborted && this.game) this.dispatchEvent(new Event("change"));
  }
}
