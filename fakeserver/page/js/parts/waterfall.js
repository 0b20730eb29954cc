// @ts-check
/** The writes of an answer, one a row: when each was planned, when it was made, when it arrived, and its bytes. */

import { counted, size, span } from "../lib/format.js";
import { dataOf, moments, paceOf } from "../lib/plan.js";
import { says } from "../lib/says.js";
import { html, useMemo, useState } from "../ui.js";
import { Bytes, Line } from "./bytes.js";
import { VTable } from "./vtable.js";

/** @import { PlanRow } from "../lib/plan.js" */
/** @import { RequestRecord } from "../types.js" */

const COLUMNS = [
  { name: "#", kind: "number" },
  {
    name: "Due",
    kind: "number",
    about: "When it is planned: since the request was read; with a + since the gate before it was released",
  },
  { name: "Actual", kind: "number", about: "When the server wrote it, since the request was read" },
  { name: "Late", kind: "number late", about: "Actual less planned" },
  { name: "What", kind: "what" },
  { name: "Size", kind: "number" },
  { name: "Time", kind: "lane", about: "Hollow: planned. Filled: written. Line: arrived in this browser." },
  { name: "Bytes", kind: "wide" },
];

const PLAYED = ["Actual", "Late"]; // columns that are empty until it is played

/**
 * `arrived` has the milliseconds at which a row's last byte was read here; `pace` is how much slower than scripted it
 * is played, until the record tells.
 * @param {{rows: PlanRow[], record?: RequestRecord | null, arrived?: Map<number, number>, pace?: number,
 *   gate?: string | null}} props
 */
export function Waterfall({ rows, record, arrived, pace = 1, gate }) {
  const [open, setOpen] = useState(/** @type {number | null} */ (null));
  const actual = useMemo(() => (record ? moments(rows, record) : new Map()), [rows, record]);
  const slower = paceOf(rows, actual, pace);
  const end = scaleOf(rows, slower, actual, arrived);
  const waits = gate ? rows.findLast((row) => row.action.do === "gate" && row.action.name === gate)?.index : undefined;
  const chosen = open !== null ? rows[open] : undefined;
  const played = record || arrived;
  const columns = played ? COLUMNS : COLUMNS.filter((each) => !PLAYED.includes(each.name));
  const row = (/** @type {number} */ index, /** @type {object} */ handle) =>
    drawn(rows[index], columns, {
      handle,
      moment: actual.get(index),
      at: arrived?.get(index),
      slower,
      end,
      open: open === index,
      waits: waits === index,
      onOpen: () => setOpen(open === index ? null : index),
    });
  return html`<div class="waterfall">
    <${VTable} label=${`Waterfall of ${counted(rows.length, "step")}`} columns=${columns} count=${rows.length}
      row=${row} kind=${played ? "writes played" : "writes"}
      placeOf=${(/** @type {number} */ key) => (key < rows.length ? key : -1)}
        keyAt=${(/** @type {number} */ index) => index} />
    ${
      chosen &&
      html`<${Bytes} key=${chosen.index} data=${dataOf(chosen.action)} onClose=${() => setOpen(null)}
      title=${html`${chosen.what} <span
        class="faint">#${chosen.index + 1} · ${size(chosen.size)} · due ${dueOf(chosen)}</span>`} />`
    }
  </div>`;
}

/**
 * As it is played where that is known, else as scripted.
 * @param {PlanRow} row
 * @param {import("../lib/plan.js").Moment} [moment]
 */
function dueOf(row, moment) {
  return moment ? span(moment.planned) : (row.segment ? "+" : "") + span(row.due);
}

/**
 * `at` is when it arrived, in milliseconds; `slower` and `end` are the lane's scale.
 * @typedef {{handle: object, moment?: import("../lib/plan.js").Moment, at?: number, slower: number, end: number,
 *   open: boolean, waits: boolean, onOpen: () => void}} Seen
 */

/**
 * @param {PlanRow} row
 * @param {typeof COLUMNS} columns
 * @param {Seen} seen
 */
function drawn(row, columns, { handle, moment, at, slower, end, open, waits, onOpen }) {
  const late = moment ? moment.actual - moment.planned : null;
  const name = row.size
    ? html`<button type="button" class="handle" ...${handle} aria-expanded=${open ? "true" : "false"}
      onClick=${onOpen}>${row.index + 1}</button>`
    : html`<span class="handle" ...${handle}>${row.index + 1}</span>`;
  const cells = [
    name,
    dueOf(row, moment),
    moment
      ? span(moment.actual)
      : at === undefined
        ? ""
        : html`<span class="faint" title="arrived here">${span(at * 1e6)}</span>`,
    late === null ? "" : html`<span class=${late > 5e6 ? "warn" : "faint"}>${span(Math.max(0, late))}</span>`,
    html`<${What} row=${row} waits=${waits} />`,
    row.size ? size(row.size) : "",
    html`<${Lane} planned=${moment?.planned ?? row.at * slower} actual=${moment?.actual} at=${at} end=${end} />`,
    html`<${Line} data=${dataOf(row.action)} />`,
  ];
  const shown = cells.filter((_, index) => columns.includes(COLUMNS[index]));
  const kind = [
    row.action.do,
    row.action.part,
    open ? "open" : "",
    waits ? "waits" : "",
    at !== undefined || moment ? "done" : "",
  ].join(" ");
  return { key: row.index, cells: shown, kind, selected: open };
}

/** @param {{row: PlanRow, waits: boolean}} props */
function What({ row, waits }) {
  if (waits) return html`<b class="live" title="A stream waits here">${row.what}</b>`;
  const said = row.action.do === "write" && row.action.part === "body" ? says(dataOf(row.action)) : "";
  return html`<span title=${said}>${row.what}${said && html` <span class="says">${said}</span>`}</span>`;
}

/** @param {{planned: number, actual?: number, at?: number, end: number}} props */
function Lane({ planned, actual, at, end }) {
  const place = (/** @type {number} */ ns) => `${Math.max(0, Math.min(100, (ns / end) * 100)).toFixed(2)}%`;
  return html`<div class="track" aria-hidden="true">
    <i class="planned" style=${{ left: place(planned) }}></i>
    ${
      actual !== undefined &&
      html`<i class="span"
      style=${{ left: place(planned), width: place(Math.max(0, actual - planned)) }}></i><i class="actual"
        style=${{ left: place(actual) }}></i>`
    }
    ${at !== undefined && html`<i class="arrived" style=${{ left: place(at * 1e6) }}></i>`}
  </div>`;
}

/**
 * How long the lane is, in nanoseconds.
 * @param {PlanRow[]} rows
 * @param {number} slower
 * @param {Map<number, {planned: number, actual: number}>} actual
 * @param {Map<number, number>} [arrived]
 */
function scaleOf(rows, slower, actual, arrived) {
  let end = rows.reduce((most, row) => Math.max(most, row.at * slower), 1e6);
  for (const moment of actual.values()) end = Math.max(end, moment.actual);
  for (const at of arrived?.values() ?? []) end = Math.max(end, at * 1e6);
  return end * 1.02;
}
