// @ts-check
/**
 * One answer, played against this server from here, in a session of its own: what is asked, what arrives and when, and
 * how it ends as a browser sees it, beside what the server tells of it. It must not know how this is drawn.
 */

import { api, words } from "./api.js";
import { Taken } from "./lib/taken.js";
import { listen } from "./live.js";
import { requestOf, settingsOf } from "./request.js";

/** @import { RequestRecord, Timeline } from "./types.js" */

/**
 * @typedef {{selector: string, model: string, protocol: string, speed: string, dialect: string, attempt: number,
 *   stream: boolean, usage: boolean, message: string, key: string, hold: boolean}} Options
 */

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
  /** @type {number | null} */
  status = null;
  /** @type {[string, string][]} */
  headers = [];
  taken = new Taken(false);
  /** How it ended here. @type {{how: "clean" | "error" | "stopped", words: string, at: number} | null} */
  end = null;
  /** What the server plans for this very request, once it is known. @type {Timeline | null} */
  timeline = null;
  /** What the server tells of it: as its head comes, at each gate, and when it is over. @type {RequestRecord | null} */
  record = null;

  #abort = new AbortController();
  #began = 0;
  /** @type {(() => void)[]} */
  #heard = [];
  #ended = false;
  #looks = { busy: false, again: false };

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
      this.#finish("clean", this.refused ? `an error answer, status ${this.status}` : "a clean end");
    } catch (problem) {
      if (this.#abort.signal.aborted) this.#finish("stopped", "stopped here");
      else this.#finish("error", problem instanceof Error ? `${problem.name}: ${problem.message}` : words(problem));
    }
    await this.#account();
    unlisten();
  }

  get refused() {
    return (this.status ?? 0) >= 400;
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
    const { hold, attempt } = this.options;
    if (attempt > 1) await this.#skip(attempt - 1);
    for (const [what, said] of settingsOf(this.options)) await api.put(this.session, what, said);
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
    void this.#look();
    return answer;
  }

  /** @param {AbortSignal} signal */
  #fetch(signal) {
    const { url, headers, body } = requestOf(this.options, this.session);
    return fetch(url, { method: "POST", headers, body, signal, cache: "no-store" });
  }

  /** @param {Response} answer */
  async #read(answer) {
    this.taken = new Taken((answer.headers.get("content-type") ?? "").startsWith("text/event-stream"));
    const reader = answer.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || !value) break;
      this.taken.take(value, performance.now() - this.#began);
      this.changed();
    }
    this.taken.finish();
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
    if (kind === "start") {
      this.number = data.number;
      void this.#look();
    }
    if (kind === "gate" && data.number === this.number && !this.end) {
      this.gate = data.gate;
      void this.#look();
    }
    if (kind === "pass" && data.number === this.number) this.gate = null;
    if (kind === "end" && data.number === this.number) this.#ended = true;
    if (kind !== "gate") for (const call of this.#heard.splice(0)) call();
    this.changed();
  }

  /** One at a time: a long plan takes a while to tell. What is known of its end is not taken back. */
  async #look() {
    if (!this.number) return;
    if (this.#looks.busy) return void (this.#looks.again = true);
    this.#looks = { busy: true, again: false };
    const record = await api.request(this.number).catch(() => null);
    if (record && !this.record?.ending) this.record = record;
    this.timeline ??= record?.timeline ?? null;
    this.changed();
    const { again } = this.#looks;
    this.#looks = { busy: false, again: false };
    if (again && !this.end) await this.#look();
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
