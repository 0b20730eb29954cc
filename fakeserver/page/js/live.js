// @ts-check
/** The server's live events, for as long as the page is looked at: connected, lost, and found again where they were. */

import { Refused, ask, words } from "./api.js";
import { SseReader } from "./lib/sse.js";
import { change, state } from "./store.js";

/** @import { Told } from "./types.js" */

const PATIENCE = [250, 500, 1000, 2000]; // milliseconds between tries; the last one again and again

/** @type {Set<(told: Told) => void>} */
const listeners = new Set();
let last = "";
let tries = 0;
/** @type {AbortController | null} */
let reading = null;

/** @param {(told: Told) => void} listener */
export function listen(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * `opened` is called each time that the events have begun to come. A browser has few connections to a server, so a page
 * that is not seen gives its own back.
 * @param {() => void} opened
 */
export function follow(opened) {
  const begin = () => {
    if (reading || document.hidden || state.locked) return;
    reading = new AbortController();
    void read(reading, opened)
      .finally(() => (reading = null))
      .then(() => setTimeout(begin, pause()));
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? reading?.abort() : begin()));
  begin();
  return begin;
}

function pause() {
  return PATIENCE[Math.min(tries++, PATIENCE.length - 1)];
}

/** @param {AbortController} reading @param {() => void} opened */
async function read(reading, opened) {
  try {
    const headers = last ? { "last-event-id": last } : undefined;
    const answer = await ask("/events", { headers, signal: reading.signal });
    tries = 0;
    change({ link: "live", why: "" });
    opened();
    await all(/** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader());
    change({ link: "down", why: "The server has gone." });
  } catch (problem) {
    if (reading.signal.aborted) return;
    const answered = problem instanceof Refused && problem.status;
    change({ link: "down", why: answered ? words(problem) : "The server does not answer." });
  }
}

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
async function all(reader) {
  const events = new SseReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of events.take(value)) {
      if (event.id) last = event.id;
      if (event.event) tell({ kind: event.event, data: JSON.parse(event.data) });
    }
  }
}

/** @param {Told} told */
function tell(told) {
  for (const listener of listeners) listener(told);
}
