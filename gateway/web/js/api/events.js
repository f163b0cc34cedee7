// The event stream format of the WHATWG: text as it comes in, messages as they are complete.

/** @typedef {{event: string, data: string, id: string}} Message */

export class EventStream {
  #rest = "";
  #id = "";
  #event = "";
  /** @type {string[]} */
  #data = [];
  /** Milliseconds that the server wants a reader to wait before it comes back. */
  retryMs = 1000;

  /** The messages that `piece` completes. @param {string} piece @returns {Message[]} */
  feed(piece) {
    const text = this.#rest + piece;
    // A CR at the end may be half of CRLF: it waits for what comes.
    const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + (whole === text ? "" : "\r");
    return lines.map((line) => this.#line(line)).filter((it) => it !== null);
  }

  /** @param {string} line @returns {Message | null} */
  #line(line) {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#event = value;
    if (name === "data") this.#data.push(value);
    if (name === "id") this.#id = value;
    if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  #complete() {
    const [event, data] = [this.#event || "message", this.#data];
    this.#event = "";
    this.#data = [];
    return data.length ? { event, data: data.join("\n"), id: this.#id } : null;
  }
}
