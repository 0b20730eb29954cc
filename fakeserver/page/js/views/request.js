// @ts-check
/** One request: what was asked, what answered and why, what was sent when, and how it ended; in flight, its reins. */

import { Refused, api, words } from "../api.js";
import { clock, counted, size, span } from "../lib/format.js";
import { pretty } from "../lib/highlight.js";
import { planRows } from "../lib/plan.js";
import { format } from "../lib/route.js";
import { IN_FLIGHT, placeOf } from "../lib/rows.js";
import { Copy, Ended, Status, Tabs, useEvery } from "../parts/bits.js";
import { Code } from "../parts/bytes.js";
import { Waterfall } from "../parts/waterfall.js";
import { useStore } from "../store.js";
import { html, useEffect, useMemo, useState } from "../ui.js";
import { NearMisses } from "./near.js";
import { Reins } from "./reins.js";

/** @import { RequestRecord } from "../types.js" */

const LOOK = 1500; // milliseconds

/** @param {{number: number}} props */
export function Request({ number }) {
  const row = useStore((state) => state.rows[placeOf(state.rows, number)]);
  const { record, problem } = useRecord(number, row);
  if (problem && !record)
    return html`<div class="welcome"><h1>Request ${number}</h1><p class="bad" role="alert">${problem}</p><p><a
      href="#/journal">The journal</a></p></div>`;
  if (!record) return html`<p class="empty">Loading request ${number} …</p>`;
  const flight = record.ending === null;
  const gate = flight ? ((row ? row.gate : record.gate) ?? null) : null;
  return html`<article class="request" aria-labelledby="request-name">
    <header class="about">
      <p class="way"><a href="#/journal">Journal</a> <${Beside} number=${number} /></p>
      <h1 id="request-name" tabindex="-1">Request ${number} <${Status} status=${record.status} /></h1>
      <p><code>${record.request.method} ${record.request.path}</code></p>
    </header>
    ${problem && html`<p class="empty bad" role="alert">${problem}</p>`}
    ${flight && html`<${Reins} number=${number} session=${record.session} gate=${gate} held=${record.held ?? false} />`}
    <${Facts} record=${record} />
    ${record.unmatched && html`<${NearMisses} unmatched=${record.unmatched} />`}
    <${Halves} record=${record} gate=${gate} />
  </article>`;
}

/**
 * The record, again whenever something is told of it, and now and then while it is in flight.
 * @param {number} number
 * @param {import("../types.js").Row | undefined} row
 */
function useRecord(number, row) {
  const [found, setFound] = useState(
    /** @type {{record: RequestRecord | null, problem: string}} */ ({ record: null, problem: "" }),
  );
  const link = useStore((state) => state.link);
  const [looks, look] = useState(0);
  const flight = found.record?.ending === null;
  useEvery(() => flight && document.hasFocus() && look((count) => count + 1), LOOK, [flight]);
  useEffect(() => {
    const leave = new AbortController();
    api.request(number, leave.signal).then(
      (record) => setFound({ record, problem: "" }),
      (problem) =>
        leave.signal.aborted ||
        setFound((before) => ({
          ...before,
          problem:
            problem instanceof Refused && problem.status === 404
              ? `Request ${number} is not kept, or has never been.`
              : words(problem),
        })),
    );
    return () => leave.abort();
  }, [number, row, link, looks]);
  return found;
}

/** @param {{number: number}} props */
function Beside({ number }) {
  const rows = useStore((state) => state.rows);
  const place = placeOf(rows, number);
  const [newer, older] = place < 0 ? [] : [rows[place - 1], rows[place + 1]];
  return html`<span class="beside">${
    newer &&
    html`<a href=${format(["requests", String(newer.number)])}
    rel="prev">newer</a>`
  } ${
    older &&
    html`<a href=${format(["requests", String(older.number)])}
      rel="next">older</a>`
  }</span>`;
}

/** @param {{record: RequestRecord}} props */
function Facts({ record }) {
  const { ending, lateness_ns: late } = record;
  const [name, ...overlays] = record.scenario.split("+");
  const open = format(["scenarios", name], {
    overlays: overlays.join(","),
    attempt: record.attempt > 1 ? record.attempt : "",
  });
  return html`<dl class="facts">
    <div><dt>Scenario</dt><dd>${
      record.scenario
        ? html`<a href=${open}>${record.scenario}</a>`
        : html`<span
      class="faint">none</span>`
    }${
      record.attempt > 0 &&
      html` <span
        class="faint">attempt ${record.attempt}</span>`
    }</dd></div>
    <div><dt>Why</dt><dd>${record.why}</dd></div>
    <div><dt>Session</dt><dd><a href=${format(["journal"], { session: record.session })}>${record.session}</a></dd>
      </div>
    <div><dt>Began</dt><dd>${clock(record.at)}</dd></div>
    <div class="wide"><dt>Ended</dt><dd><${Ended} ended=${ending?.how ?? IN_FLIGHT} words=${record.how}
      />${ending && html` <span class="faint">${peer(record)}</span>`}</dd></div>
    <div><dt>Sent</dt>
      <dd>${counted(record.events, "event")}, ${size(record.bytes)} in ${counted(record.writes, "write")}</dd></div>
    <div><dt>Late</dt><dd>p50 ${span(late.p50)}, p99 ${span(late.p99)}, at most ${span(late.max)}</dd></div>
    ${
      record.stalled_ns > 0 &&
      html`<div><dt>Stalled</dt>
      <dd>${span(record.stalled_ns)} for a reader that did not read</dd></div>`
    }
    ${record.lockstep && html`<div><dt>Lockstep</dt><dd>${record.lockstep}</dd></div>`}
    ${record.retry_after !== null && html`<div><dt>Retry after</dt><dd>${record.retry_after} s</dd></div>`}
    ${
      record.gates.length > 0 &&
      html`<div class="wide"><dt>Gates</dt>
      <dd>${record.gates.map(
        (each, index) => html`${index > 0 && ", "}${each.gate === "*" ? "held" : each.gate} <span
        class="faint">at ${span(each.at)}</span>`,
      )}</dd></div>`
    }
  </dl>`;
}

/** What the other side did. @param {RequestRecord} record */
function peer({ ending }) {
  if (!ending) return "";
  const parts = [
    `after ${span(ending.at)}`,
    ending.by && `the client left by ${ending.by}`,
    ending.acked !== null && `its kernel has confirmed ${size(ending.acked)}`,
    REACHED[ending.detail] ?? "",
  ];
  return parts.filter(Boolean).join("; ");
}

/** @type {Record<string, string>} */
const REACHED = {
  read: "the client had read every byte",
  acknowledged: "the client's kernel had every byte",
  unread: "the client had not read every byte",
  buffered: "bytes were still on their way",
};

/** @param {{record: RequestRecord, gate: string | null}} props */
function Halves({ record, gate }) {
  const [tab, setTab] = useState("body");
  const rows = useMemo(() => (record.timeline ? planRows(record.timeline) : []), [record.timeline]);
  const { body, body_size, headers } = record.request;
  const kept = new TextEncoder().encode(body).length;
  const tabs = [
    {
      id: "body",
      name: html`Request body <span class="faint">${size(body_size)}</span>`,
      body: () => html`<div class="tools"><${Copy} text=${body} label="the request's body"
        />${kept < body_size && html`<span class="faint">The first ${size(kept)} are kept.</span>`}</div>
      ${
        body
          ? html`<${Code} text=${pretty(body)} language="json" label="The request's body" />`
          : html`<p
        class="empty">It had no body.</p>`
      }`,
    },
    {
      id: "request-headers",
      name: "Request headers",
      body: () => html`<table class="plain"><caption class="unseen">The request's headers</caption><tbody>
      ${Object.entries(headers).map(
        ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td>
        </tr>`,
      )}</tbody></table>`,
    },
  ];
  return html`<div class="halves">
    <section aria-label="Timeline"><header><h2>Timeline</h2><p class="faint">planned and actual</p></header>
      ${
        record.timeline
          ? html`<${Waterfall} rows=${rows} record=${record} gate=${gate} />`
          : html`<p
        class="empty">Its plan is no longer known.</p>`
      }</section>
    <section class="outcome" aria-label="What was asked"><${Tabs} label="What was asked" tabs=${tabs} value=${tab}
      onChange=${setTab} /></section>
  </div>`;
}
