// @ts-check
/** The reads of one body, as they arrive -> what they hold: events, the answer so far, and what is left over. */

import { emptyAnswer, fold } from "./fold.js";
import { SseReader } from "./sse.js";

/**
 * `at` is when it arrived, `total` how much of the body there was with it.
 * @typedef {{at: number, data: Uint8Array, total: number}} Read
 * @typedef {{at: number, event: import("./sse.js").SseEvent}} Heard
 */

const READS = 20_000; // reads and events that are kept to be looked at
const BYTES = 8 << 20;

export class Taken {
  /** @type {Read[]} */
  reads = [];
  /** @type {Heard[]} */
  events = [];
  total = 0;
  answer = emptyAnswer();
  rest = "";
  #sse = new SseReader();
  #decoder = new TextDecoder();
  #text = "";

  /** @param {boolean} streams whether it is an event stream */
  constructor(streams) {
    this.streams = streams;
  }

  /** @param {Uint8Array} data @param {number} at */
  take(data, at) {
    this.total += data.length;
    const kept = this.reads.length < READS && this.total < BYTES;
    if (kept) this.reads.push({ at, data, total: this.total });
    if (this.streams) this.#events(data, at);
    else if (kept) this.#text += this.#decoder.decode(data, { stream: true });
  }

  /** The body is over: one that is no stream is an answer now. */
  finish() {
    if (!this.streams && this.#text) fold(this.answer, this.#text);
  }

  /** @param {Uint8Array} data @param {number} at */
  #events(data, at) {
    for (const event of this.#sse.take(data)) {
      if (this.events.length < READS) this.events.push({ at, event });
      if (event.comment === null) fold(this.answer, event.data);
    }
    this.rest = this.#sse.rest;
  }
}
