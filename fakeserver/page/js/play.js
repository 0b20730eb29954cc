// @ts-check
/**
 * One answer, played against this server from here, in a session of its own: what is asked, what arrives and when, and
 * how it ends as a browser sees it, beside what the server tells of it. It must not know how this is drawn.
 */

import { api, words } from "./api.js";
import { emptyAnswer, fold } from "./lib/fold.js";
import { SseReader } from "./lib/sse.js";
import { listen } from "./live.js";

/** @import { RequestRecord } from "./types.js" */

/**
 * @typedef {{selector: string, model: string, protocol: string, speed: string, dialect: string, attempt: number, stream: boolean,
 *   usage: boolean, message: string, key: string, hold: boolean}} Options
 * @typedef {{at: number, data: Uint8Array, total: number}} Read `at` in milliseconds since the request began
 * @typedef {{at: number, event: import("./lib/sse.js").SseEvent}} Heard
 */

const READS = 20_000; // reads and events that are kept to be looked at
const BYTES = 8 << 20;
const PATIENCE = 3000; // milliseconds for the server's own account of it

const tab = Math.random().toString(16).slice(2, 6).padEnd(4, "0");
let plays = 0;

export class Play {
  session = `page-${tab}-${++plays}`;
  /** @type {"begins" | "asks" | "reads" | "over"} */
  phase = "begins";
  number = 0;
  /** @type {string | null} */
  gate = null;
  /** @type {Read[]} */
  reads = [];
  /** @type {Heard[]} */
  events = [];
  /** @type {number | null} */
  status = null;
  /** @type {[string, string][]} */
  headers = [];
  total = 0;
  answer = emptyAnswer();
  rest = "";
  /** How it ended here. @type {{how: "clean" | "error" | "stopped", words: string, at: number} | null} */
  end = null;
  /** What the server tells of it. @type {RequestRecord | null} */
  record = null;

  #abort = new AbortController();
  #sse = new SseReader();
  #body = "";
  #began = 0;
  /** @type {(() => void)[]} */
  #heard = [];
  #ended = false;

  /** @param {Options} options @param {() => void} changed */
  constructor(options, changed) {
    this.options = options;
    this.changed = changed;
  }

  async run() {
    const unlisten = listen(({ kind, data }) => data.session === this.session && this.#told(kind, data));
    try {
      await this.#prepare();
      await this.#read(await this.#ask());
      this.#finish(
        "clean",
        this.status && this.status >= 400 ? `an error answer, status ${this.status}` : "a clean end",
      );
    } catch (problem) {
      if (this.#abort.signal.aborted) this.#finish("stopped", "stopped here");
      else this.#finish("error", problem instanceof Error ? `${problem.name}: ${problem.message}` : words(problem));
    }
    await this.#account();
    unlisten();
  }

  stop() {
    this.#abort.abort();
  }

  /** @param {object} [body] */
  async release(body) {
    if (this.gate) await api.release(this.session, this.gate, body);
  }

  /** By so many events; 0: to the end. @param {number} events */
  async step(events) {
    await (events ? api.post(this.session, "step", { events }) : api.post(this.session, "hold", { all: false }));
  }

  async #prepare() {
    const { speed, dialect, hold, attempt } = this.options;
    if (attempt > 1) await this.#skip(attempt - 1);
    if (speed) await api.put(this.session, "speed", { speed: speed === "instant" ? speed : Number(speed) });
    if (dialect) await api.put(this.session, "dialect", { dialect });
    if (hold) await api.post(this.session, "hold", { all: true });
    if (this.#abort.signal.aborted) throw new Error("stopped");
  }

  /** Attempts are counted as they are read: the ones before are asked for and left. @param {number} count */
  async #skip(count) {
    await api.put(this.session, "speed", { speed: "instant" });
    for (let i = 0; i < count; i++) {
      const leave = new AbortController();
      await Promise.race([this.#fetch(leave.signal), new Promise((resolve) => setTimeout(resolve, 300))]).catch(
        () => {},
      );
      leave.abort();
    }
    await api.put(this.session, "speed", { speed: null });
    this.number = 0;
  }

  async #ask() {
    this.phase = "asks";
    this.#began = performance.now();
    this.changed();
    const answer = await this.#fetch(this.#abort.signal);
    this.status = answer.status;
    this.headers = [...answer.headers];
    this.phase = "reads";
    this.changed();
    return answer;
  }

  /** @param {AbortSignal} signal */
  #fetch(signal) {
    const { url, headers, body } = requestOf(this.options, this.session);
    return fetch(url, { method: "POST", headers, body, signal, cache: "no-store" });
  }

  /** @param {Response} answer */
  async #read(answer) {
    const streams = (answer.headers.get("content-type") ?? "").startsWith("text/event-stream");
    const reader = answer.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || !value) break;
      this.#took(value, streams);
    }
    if (!streams) fold(this.answer, this.#body);
  }

  /** @param {Uint8Array} data @param {boolean} streams */
  #took(data, streams) {
    const at = performance.now() - this.#began;
    this.total += data.length;
    const kept = this.reads.length < READS && this.total < BYTES;
    if (kept) this.reads.push({ at, data, total: this.total });
    if (streams) {
      for (const event of this.#sse.take(data)) {
        if (this.events.length < READS) this.events.push({ at, event });
        if (event.comment === null) fold(this.answer, event.data);
      }
      this.rest = this.#sse.rest;
    } else if (kept) this.#body += new TextDecoder().decode(data);
    this.changed();
  }

  /** @param {"clean" | "error" | "stopped"} how @param {string} words */
  #finish(how, words) {
    this.end = { how, words, at: this.#began ? performance.now() - this.#began : 0 };
    this.phase = "over";
    this.gate = null;
    this.changed();
  }

  /** @param {string} kind @param {any} data */
  #told(kind, data) {
    if (this.phase === "begins") return; // of an attempt that is skipped
    if (kind === "start") this.number = data.number;
    if (kind === "gate" && data.number === this.number && !this.end) this.gate = data.gate;
    if (kind === "pass" && data.number === this.number) this.gate = null;
    if (kind === "end" && data.number === this.number) this.#ended = true;
    if (kind !== "gate") for (const call of this.#heard.splice(0)) call();
    this.changed();
  }

  /** What the server tells of it, once it is over there too. */
  async #account() {
    const late = performance.now() + PATIENCE;
    while (!this.#ended && performance.now() < late) {
      await Promise.race([
        new Promise((resolve) => this.#heard.push(() => resolve(null))),
        new Promise((resolve) => setTimeout(resolve, PATIENCE)),
      ]);
    }
    if (!this.number) return;
    this.record = await api.request(this.number).catch(() => null);
    this.changed();
  }
}

/** @param {Options} options @param {string} [session] */
export function requestOf(options, session) {
  const { selector, model, protocol, attempt, stream, usage, message, key } = options;
  const root = `${location.origin}${session ? `/session/${session}` : ""}/scenario/${selector}/v1`;
  const again = attempt > 1 && { "x-stainless-retry-count": String(attempt - 1) }; // for a scenario that goes by it
  /** @type {Record<string, string>} */
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }), ...again };
  if (protocol === "responses")
    return { root, url: `${root}/responses`, headers, body: JSON.stringify({ model, stream, input: message }) };
  const asked = stream && usage ? { stream_options: { include_usage: true } } : {};
  const body = JSON.stringify({ model, stream, ...asked, messages: [{ role: "user", content: message }] });
  return { root, url: `${root}/chat/completions`, headers, body };
}

/** Milliseconds at which the last byte of each row's had been read here, by row. @param {Play} play
 * @param {import("./lib/plan.js").PlanRow[]} rows @returns {Map<number, number>} */
export function arrivals(play, rows) {
  const found = new Map();
  let read = 0;
  for (const { index, body, size } of rows) {
    if (body === null || !size) continue;
    while (read < play.reads.length && play.reads[read].total < body) read++;
    if (read >= play.reads.length) break;
    if (body > 0) found.set(index, play.reads[read].at);
  }
  return found;
}
