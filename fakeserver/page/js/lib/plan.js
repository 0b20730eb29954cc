// @ts-check
/**
 * A timeline -> the rows of a waterfall; and a record's moments -> which of these rows they belong to.
 *
 * Rows behind a gate count anew from its release, which no plan can know: until a record tells, they are drawn as if
 * the gate had been open.
 */

import { bodySizes } from "./body.js";
import { fromBase64 } from "./bytes.js";

/** @import { Action, RequestRecord, Timeline } from "../types.js" */

/**
 * `due` counts from the last gate, `at` from the request. `body` is how many bytes of the body there are with this row.
 * @typedef {{index: number, action: Action, what: string, size: number, due: number, at: number, segment: number,
 *   body: number | null}} PlanRow
 * @typedef {{planned: number, actual: number}} Moment
 */

/** @param {Timeline} timeline @returns {PlanRow[]} */
export function planRows(timeline) {
  let [base, segment, events, body] = [0, 0, 0, 0];
  const writes = timeline.actions.filter((action) => action.do !== "gate");
  const sizes = bodySizes(writes.map((action) => ({ part: action.part ?? "body", data: dataOf(action) })));
  let write = 0;
  return timeline.actions.map((action, index) => {
    const row = {
      index,
      action,
      what: whatOf(action, events),
      size: sizeOf(action),
      due: action.due_ns,
      at: base + action.due_ns,
      segment,
      body: /** @type {number | null} */ (null),
    };
    events = Math.max(events, action.events ?? 0);
    if (action.do === "gate") [base, segment] = [row.at, segment + 1];
    else if (sizes) row.body = body += sizes[write++];
    return row;
  });
}

/** @type {WeakMap<Action, Uint8Array>} */
const decoded = new WeakMap();

/** @param {Action} action */
export function dataOf(action) {
  let data = decoded.get(action);
  if (!data) decoded.set(action, (data = fromBase64(action.base64)));
  return data;
}

/** @param {Action} action */
function sizeOf(action) {
  const text = action.base64 ?? "";
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}

/** @param {Action} action @param {number} before events that were whole before */
function whatOf(action, before) {
  if (action.do === "gate") return `gate ${action.name}`;
  if (action.do === "end") return ENDS[action.kind ?? ""] ?? String(action.kind);
  if (action.part === "idle") return "keep-alive";
  if (action.part !== "body") return String(action.part);
  const events = action.events ?? 0;
  if (events <= before) return `part of ${before + 1}`;
  return events === before + 1 ? `event ${events}` : `events ${before + 1}–${events}`;
}

/** @type {Record<string, string>} */
const ENDS = {
  end: "clean end",
  close: "close (FIN)",
  reset: "reset (RST)",
  "reset-now": "reset at once",
  hang: "hang",
};

/**
 * By row. Writes of one moment are one burst, which has one moment of its own (or one a slice, where it is long). The
 * record keeps the first and the last moments; what lies between has none.
 * @param {PlanRow[]} rows @param {RequestRecord} record @returns {Map<number, Moment>}
 */
export function moments(rows, record) {
  const times = record.times_ns.map(([planned, actual]) => ({ planned, actual }));
  const result = new Map();
  const last = rows[rows.length - 1];
  // What ends the framing is due with the last burst, and is no part of it.
  const framed = record.ending?.how === "complete" && last?.action.do === "end" && last.size > 0 && times.pop();
  if (framed) result.set(last.index, framed);
  const gates = record.gates.filter(({ gate }) => gate !== "*"); // those are of no scenario's
  for (const [index, row] of rows.filter(({ action }) => action.do === "gate").entries()) {
    if (gates[index]) result.set(row.index, { planned: gates[index].at, actual: gates[index].at });
  }
  const writes = rows.filter((row) => row.action.do === "write");
  const each = times.length === record.writes - (framed ? 1 : 0);
  const whole = each ? writes.map((row) => [row]) : bursts(writes);
  const kept = times.length < KEPT - 1 ? times.length : KEPT / 2; // as the journal keeps them: so many first and last
  assign(result, whole, times.slice(0, kept), 1);
  if (times.length > kept && record.ending) assign(result, written(whole, record), times.slice(kept), -1);
  return result;
}

/**
 * How much slower than scripted it is played: moments before the first gate tell; until they do, it is the one `meant`.
 * @param {PlanRow[]} rows
 * @param {Map<number, Moment>} known
 */
export function paceOf(rows, known, meant = 1) {
  const row = rows.findLast((each) => each.segment === 0 && each.at > 0 && known.has(each.index));
  return row ? /** @type {Moment} */ (known.get(row.index)).planned / row.at : meant;
}

const KEPT = 64;

/** @param {PlanRow[]} writes */
function bursts(writes) {
  /** @type {PlanRow[][]} */
  const found = [];
  for (const row of writes) {
    const last = found[found.length - 1]?.[0];
    if (last && last.due === row.due && last.segment === row.segment) found[found.length - 1].push(row);
    else found.push([row]);
  }
  return found;
}

/** The bursts that were begun. @param {PlanRow[][]} whole @param {RequestRecord} record */
function written(whole, record) {
  let left = record.writes;
  return whole.filter((burst) => (left -= burst.length) + burst.length > 0);
}

/** From the front or, with -1, from the back. @param {Map<number, Moment>} result @param {PlanRow[][]} whole
 * @param {Moment[]} times @param {1 | -1} step */
function assign(result, whole, times, step) {
  let place = step > 0 ? 0 : whole.length - 1;
  /** @type {Moment | undefined} */
  let before;
  for (const moment of step > 0 ? times : [...times].reverse()) {
    const again = before && before.planned === moment.planned && (whole[place]?.length ?? 0) > 1;
    if (before && !again) place += step;
    for (const row of whole[place] ?? []) if (!result.has(row.index)) result.set(row.index, moment);
    before = moment;
  }
}
