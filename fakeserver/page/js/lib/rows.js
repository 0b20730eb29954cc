// @ts-check
/** The journal's rows and what is told of them -> the rows as they are now, the newest first; and a filter of them. */

/** @import { Row, Told } from "../types.js" */

/** @typedef {{text: string, session: string, only: string}} Filter */

export const IN_FLIGHT = "in flight";

/**
 * Rows that came in pages, beside those that are there; what is there is newer.
 * @param {Row[]} rows
 * @param {Row[]} more
 */
export function merged(rows, more) {
  const known = new Set(rows.map((row) => row.number));
  const added = more.filter((row) => !known.has(row.number));
  if (!added.length) return rows;
  return [...rows, ...added].sort((one, other) => other.number - one.number);
}

/** All that was told since the last frame, at once. @param {Row[]} rows @param {Told[]} told @param {number} limit */
export function after(rows, told, limit) {
  let now = rows.slice();
  for (const { kind, data } of told) {
    if (kind === "reset") now = now.filter((row) => row.session !== data.session);
    else if (kind === "start") begin(now, data);
    else if (kind === "gate" || kind === "pass" || kind === "end") change(now, kind, data);
  }
  return now.length > limit ? now.slice(0, limit) : now;
}

/** @param {Row[]} rows @param {any} data */
function begin(rows, data) {
  if (placeOf(rows, data.number) >= 0) return;
  const row = {
    ...data,
    how: IN_FLIGHT,
    ended: IN_FLIGHT,
    events: 0,
    bytes: 0,
    took_ns: null,
    lateness_p99_ns: null,
    gate: null,
  };
  if (!rows.length || rows[0].number < data.number) rows.unshift(row);
  else
    rows.splice(
      rows.findIndex((each) => each.number < data.number),
      0,
      row,
    );
}

/** @param {Row[]} rows @param {string} kind @param {any} data */
function change(rows, kind, data) {
  const place = placeOf(rows, data.number);
  if (place < 0) return;
  const row = rows[place];
  if (kind !== "end") rows[place] = { ...row, gate: kind === "gate" && row.ended === IN_FLIGHT ? data.gate : null };
  else {
    rows[place] = {
      ...row,
      gate: null,
      ended: data.ended,
      how: data.how ?? data.ended,
      events: data.events,
      bytes: data.bytes,
      took_ns: data.took_ns ?? data.at,
      lateness_p99_ns: data.lateness_p99_ns ?? null,
    };
  }
}

/** They are in order, so this halves. @param {Row[]} rows @param {number} number */
export function placeOf(rows, number) {
  let [low, high] = [0, rows.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (rows[middle].number === number) return middle;
    if (rows[middle].number > number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** @param {Row[]} rows @param {Filter} filter */
export function filtered(rows, filter) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length && !filter.session && !filter.only) return rows;
  return rows.filter(
    (row) =>
      (!filter.session || row.session === filter.session) &&
      kept(row, filter.only) &&
      words.every((word) => textOf(row).includes(word)),
  );
}

/** @param {Row} row @param {string} only */
function kept(row, only) {
  if (only === "unmatched") return row.unmatched;
  if (only === "flight") return row.ended === IN_FLIGHT;
  return only !== "failed" || (row.ended !== "complete" && row.ended !== IN_FLIGHT) || (row.status ?? 0) >= 400;
}

/** @type {WeakMap<Row, string>} */
const texts = new WeakMap();

/** @param {Row} row */
function textOf(row) {
  let text = texts.get(row);
  if (text === undefined) {
    const { number, session, method, path, scenario, why, status, how } = row;
    text = [number, session, method, path, scenario, why, status, how].join(" ").toLowerCase();
    texts.set(row, text);
  }
  return text;
}
