// @ts-check
/** What all views share, and the way to change it: changes are gathered, and drawn once a frame. */

import { useEffect, useState } from "./ui.js";

/** @import { Named, Problem, Row, Scenario } from "./types.js" */

/**
 * `link`: how the live events are connected. `locked`: a token is needed; `refused`: the one given is not it.
 * `library` goes up with each library that was taken in or refused.
 * @typedef {{link: "connecting" | "live" | "down", why: string, locked: boolean,
 *   refused: boolean, version: string,
 *   scenarios: Scenario[],
 *   problems: Problem[], overlays: Named[], dialects: Named[], rows: Row[], dropped: number, loading: boolean,
 *   library: number, notice: string}} State
 */

/** @type {State} */
export const state = {
  link: "connecting",
  why: "",
  locked: false,
  refused: false,
  version: "",
  scenarios: [],
  problems: [],
  overlays: [],
  dialects: [],
  rows: [],
  dropped: 0,
  loading: true,
  library: 0,
  notice: "",
};

/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {Set<() => void>} */
const jobs = new Set();
let frame = 0;

/** @param {Partial<State>} patch */
export function change(patch) {
  Object.assign(state, patch);
  for (const listener of listeners) jobs.add(listener);
  soon();
}

/** Run it with the next frame, once however often it was asked for. @param {() => void} job */
export function nextFrame(job) {
  jobs.add(job);
  soon();
}

function soon() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    const now = [...jobs];
    jobs.clear();
    for (const job of now) job();
  });
}

/**
 * What `select` finds, and a new drawing when it finds something else.
 * @template T
 * @param {(state: State) => T} select
 */
export function useStore(select) {
  const [, redraw] = useState(0);
  const value = select(state);
  useEffect(() => {
    let drawn = value;
    const listener = () => {
      const now = select(state);
      if (!Object.is(now, drawn)) {
        drawn = now;
        redraw((count) => count + 1);
      }
    };
    listeners.add(listener);
    listener(); // it may have changed since it was drawn
    return () => void listeners.delete(listener);
  }, [value]);
  return value;
}
