/**
 * A fakeserver for tests in Node: starts one, or reaches one that runs, and speaks its control API.
 *
 * One file to copy: it needs Node 20 or later and the program `fakeserver`, no package. TypeScript reads its types with
 * `allowJs`. It knows no test runner. The words are those of the Python client. A duration is a number of seconds, or a
 * text with a unit: "250ms".
 */

import { AssertionError } from "node:assert";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";

const { fetch, setTimeout, clearTimeout } = globalThis; // as they are now: a test may put others in their place
const GRACE = 5000; // milliseconds for a clean stop

/** @typedef {number | string} Duration */
/** @typedef {"complete" | "ended" | "gone" | "stopped" | "broken" | "in flight"} Ended */
/** @typedef {(method: string, path: string, body?: unknown) => Promise<any>} Call the answer's JSON */
/** @typedef {{outcome?: "complete" | "refused" | "truncated" | "failed", shown?: string, cancelledAt?: number,
 *   outcomeAt?: number, wait?: Duration}} Report */
/** @typedef {import("node:child_process").ChildProcess} Child */

/**
 * One request and what became of its answer. `at` is when it had been read, in seconds since 1970. `scenario` is what
 * answered; "" if nothing did, and `unmatched` says why. `ended` is "gone" where the client has left.
 * @typedef {{number: number, at: number, method: string, path: string, headers: Record<string, string>, body: string,
 *   scenario: string, attempt: number, status: number, unmatched: string | null, ended: Ended, how: string}} Request
 */

/** The server did not start, is gone, or refused something; `code` is then the control API's word for it. */
export class FakeServerError extends Error {
  /** @param {string} message @param {{code?: string, cause?: unknown}} [more] */
  constructor(message, { code = "", cause } = {}) {
    super(message, { cause });
    this.name = "FakeServerError";
    this.code = code;
  }
}

/**
 * Run `fakeserver serve` on a free port. `args` are files and folders of scenarios, and options: "--speed", "10".
 * It ends with `stop`, and with this process, however that ends. @param {string[]} args
 */
export async function start(...args) {
  const command = process.env.FAKESERVER_COMMAND ?? "fakeserver";
  const child = spawn(command, ["serve", "--port", "0", "--json", "--exit-with-parent", ...args]);
  let errors = "";
  child.stderr.on("data", (bytes) => (errors = `${errors}${bytes}`.slice(-4000)));
  const over = once(child, "close").then(
    ([code]) => `it has ended with code ${code}. ${errors}`,
    (cause) => `${cause.message}. Is it installed? FAKESERVER_COMMAND names it where it is not on the PATH.`,
  );
  const line = await Promise.race([once(createInterface(child.stdout), "line").then(String), over]);
  if (!line.startsWith("{")) throw new FakeServerError(`\`${command} serve\` does not run: ${line.trim()}`);
  const { url, token } = JSON.parse(line);
  for (const each of [child, ...child.stdio]) /** @type {any} */ (each)?.unref(); // it keeps nobody from leaving
  return new FakeServer(url, token, child);
}

/** A server that runs already. @param {string} url @param {string} [token] that of `serve --token` */
export const connect = (url, token) => new FakeServer(url, token);

/** A running server. */
export class FakeServer {
  #child;

  /** @param {string} url @param {string} [token] @param {Child} [child] */
  constructor(url, token, child) {
    this.url = url.replace(/\/+$/, "");
    this.token = token;
    this.#child = child;
  }

  /** A part of the server for one test. Without an id it gets one that nobody else has. */
  session(id = randomUUID()) {
    const own = encodeURIComponent(id);
    /** @type {Call} */
    const call = (method, path, body) => this.#call(method, `/_fakeserver/sessions/${own}${path}`, body);
    return new Session(id, `${this.url}/session/${own}/v1`, call);
  }

  /** End the server that `start` has started; open streams are cut off. */
  async stop() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const late = setTimeout(() => child.kill("SIGKILL"), GRACE);
    child.ref();
    child.kill();
    await once(child, "exit");
    clearTimeout(late);
  }

  /** @type {Call} */
  async #call(method, path, body) {
    const what = `${method} ${this.url}${path}`;
    /** @type {RequestInit} */
    const init = { method, body: body === undefined || typeof body === "string" ? body : JSON.stringify(body) };
    if (this.token) init.headers = { authorization: `Bearer ${this.token}` };
    const answer = await fetch(`${this.url}${path}`, init).catch((cause) => {
      throw new FakeServerError(`${what}: no answer, ${cause.cause?.message || cause.message}`, { cause });
    });
    const text = await answer.text();
    const said = parsed(text);
    if (said && (answer.ok || answer.status === 408)) return said;
    throw new FakeServerError(`${what}: ${answer.status} ${refusal(said?.error) ?? text}`, { code: said?.error?.code });
  }
}

/** Its queue, counters, gates, clock and journal are its own; a client reaches it by `baseURL`. */
export class Session {
  #call;
  #scripts = 0;

  /** @param {string} id @param {string} baseURL @param {Call} call */
  constructor(id, baseURL, call) {
    this.id = id;
    this.baseURL = baseURL;
    this.#call = call;
  }

  // What it answers.

  /** Each request with it, overlays allowed: "hello+slow"; null takes that back. @param {string | null} scenario */
  use = (scenario) => this.#call("PUT", "/use", { scenario });

  /** The next requests with it: first in, first out, before what `use` says. @param {string} scenario */
  enqueue = (scenario, times = 1) => this.#call("POST", "/queue", { scenario, times });

  /** Take in a scenario in YAML, and use it. @param {string} yaml @returns its name */
  async script(yaml, name = `script-${++this.#scripts}`) {
    await this.#call("PUT", `/scenarios/${encodeURIComponent(name)}`, yaml);
    await this.use(name);
    return name;
  }

  /** Answer with this text; of a list, in these pieces. @param {string | string[]} text @returns the scenario's name */
  reply = (text) => this.script(JSON.stringify({ reply: { say: text } })); // JSON is YAML

  /** 2 is twice as fast, "instant" waits for gates alone. @param {number | "instant" | null} speed */
  speed = (speed) => this.#call("PUT", "/speed", { speed });

  // What it holds back.

  /** The named place at which its streams wait. @param {string} name */
  gate(name) {
    const path = `/gates/${encodeURIComponent(name)}`;
    return {
      /** Until a stream waits here: how many do. @param {Duration} timeout */
      wait: async (timeout = 5) => {
        const { reached } = await this.#call("GET", `${path}?wait=${timeout}`);
        if (!reached) throw new FakeServerError(`No stream came to the gate '${name}' within ${timeout} s.`);
        return Number(reached);
      },
      /**
       * Let all that wait here go on: how many. If none does, the next to come finds the gate open. With `end`, to
       * another end than their scenario's. @param {"reset" | "close" | "end" | {error: string}} [end]
       */
      release: async (end) => Number((await this.#call("POST", `${path}/release`, { end })).released),
    };
  }

  /** Stop each stream that begins from now on before each of its events; false lets all go. */
  holdAll = (on = true) => this.#call("POST", "/hold", { all: on });

  /** Let the stopped streams go on by so many events, once there is one. @param {Duration} timeout */
  async step(events = 1, timeout = 5) {
    await this.gate("*").wait(timeout);
    await this.#call("POST", "/step", { events });
  }

  /** Its time: real, or manual, which passes only by `advance`. Only of streams that begin afterwards. */
  clock = {
    manual: () => this.#call("PUT", "/clock", { mode: "manual" }),
    wall: () => this.#call("PUT", "/clock", { mode: "wall" }),
    /** The new time, once every stream waits again or is over. @param {Duration} by */
    advance: async (by) => Number((await this.#call("POST", "/clock/advance", { by })).now),
    /** Until so many streams wait for a moment to come. @param {Duration} timeout */
    wait: async (streams = 1, timeout = 5) => {
      const { waiting } = await this.#call("GET", `/clock?streams=${streams}&wait=${timeout}`);
      if (waiting < streams) throw new FakeServerError(`${waiting} of ${streams} streams wait after ${timeout} s.`);
    },
  };

  // What it was asked.

  /** All requests so far, the oldest first; with `wait`, those in flight are given so long. @param {Duration} wait */
  async requests(wait = 0) {
    const { records } = await this.#call("GET", `/journal?wait=${wait}`);
    return /** @type {any[]} */ (records).map(requestOf);
  }

  /**
   * So many such requests came, at least 1 if no amount is given; returns them. `body` maps JSON Pointers to values:
   * {"/model": "gpt-5"}.
   * @param {{scenario?: string, body?: Record<string, unknown>, ended?: Ended, count?: number, atLeast?: number,
   *   atMost?: number, wait?: Duration}} [wanted]
   */
  async verify({ atLeast, atMost, wait = 2, ...wanted } = {}) {
    const said = { ...wanted, at_least: atLeast, at_most: atMost, wait };
    const { ok, message, records } = await this.#call("POST", "/verify", said);
    if (!ok) throw new AssertionError({ message });
    return (await this.requests()).filter((each) => records.includes(each.number));
  }

  /**
   * What the client did wrong, as far as the journal proves it. Say of its last call what your app told (`outcome`) and
   * when (`outcomeAt`), the text that it showed in all, and when it was cancelled; moments are seconds since 1970.
   * @param {Report} [report] @returns {Promise<{code: string, says: string, evidence: Record<string, unknown>}[]>}
   */
  async verdict(report) {
    return (await this.#judged(report)).findings;
  }

  /** Something was asked, and the verdict finds nothing. @param {Report} [report] */
  async assertWellBehaved(report) {
    const { requests, findings } = await this.#judged(report);
    const found = /** @type {any[]} */ (findings).map(({ code, says }) => `${code}: ${says}`).join("\n");
    const nothing = `Nothing was asked in session ${this.id}; is the client's base URL ${this.baseURL}?`;
    const message = requests ? found : nothing;
    if (message) throw new AssertionError({ message });
  }

  /** @param {Report} [report] */
  #judged({ outcome, shown, cancelledAt, outcomeAt, wait = 2 } = {}) {
    const said = { outcome, shown, cancelled_at: cancelledAt, outcome_at: outcomeAt, wait };
    return this.#call("POST", "/verdict", said);
  }

  /** Something has answered each request. The message names the nearest rules and all that differs. */
  async assertNoUnmatched() {
    const missed = (await this.requests()).flatMap(({ unmatched }) => unmatched ?? []);
    if (missed.length) throw new AssertionError({ message: `Answered by nothing:\n${missed.join("\n")}` });
  }

  /** What was asked and what became of it, a line each: for whoever looks at a test that failed. */
  async explain() {
    const rows = (await this.requests()).map(({ number, method, path, status, scenario, how, unmatched }) => {
      return `#${number} ${method} ${path} ${status} ${scenario || unmatched}: ${how}`;
    });
    return rows.join("\n") || "No request has come.";
  }

  // Its end.

  /** Begin anew: what is in flight is ended; scenarios, queue, counters, gates and journal are forgotten. */
  reset = () => this.#call("POST", "/reset");

  /** The same, and the server forgets the session. Nothing happens if it never knew it. */
  async drop() {
    await this.#call("DELETE", "").catch((problem) => {
      if (problem.code !== "unknown-session") throw problem;
    });
  }
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An error of the control API in words; what is wrong with a scenario with line and remedy. @param {any} error */
function refusal(error) {
  const problems = /** @type {any[]} */ (error?.problems ?? []);
  const rows = problems.map((each) => `${each.file}:${each.line}:${each.column}: ${each.message}. ${each.remedy}`);
  return rows.length ? rows.join("\n") : error?.message;
}

/** @param {any} record of the journal @returns {Request} */
function requestOf({ request: { method, path, headers, body }, ...record }) {
  const { number, at, scenario, attempt, status, unmatched, ending, how } = record;
  const ended = ending?.how ?? "in flight";
  const answered = { scenario, attempt, status, unmatched: unmatched?.message ?? null };
  return { number, at: at / 1e9, method, path, headers, body, ...answered, ended, how };
}
