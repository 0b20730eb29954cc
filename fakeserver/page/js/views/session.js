// @ts-check
/** One session on the desk, with the buttons that hold it, let go what waits in it, judge it, and begin it anew. */

import { api } from "../api.js";
import { counted } from "../lib/format.js";
import { format } from "../lib/route.js";
import { tell } from "../parts/bits.js";
import { ReleaseButtons } from "../parts/release.js";
import { html, useState } from "../ui.js";

/** @import { Finding, Row, Session } from "../types.js" */

const SHOWN = 20; // streams in flight

/** @param {{session: Session, rows: Row[], again: () => void}} props */
export function SessionBox({ session, rows, again }) {
  const [findings, setFindings] = useState(/** @type {Finding[] | null} */ (null));
  const doing = (/** @type {Promise<unknown>} */ done) => void done.then(again, tell);
  const judge = () => void api.verdict(session.id).then((said) => setFindings(said.findings), tell);
  return html`<section class=${`session ${session.in_flight ? "busy" : ""}`} aria-label=${`Session ${session.id}`}>
    <header>
      <h2><a href=${format(["journal"], { session: session.id })}>${session.id}</a></h2>
      <span class="faint">${[counted(session.records, "record"), ...setUp(session)].join(" · ")}</span>
      <${Buttons} session=${session} doing=${doing} judge=${judge} />
    </header>
    ${findings && html`<${Verdict} findings=${findings} />`}
    ${Object.entries(session.gates).map(
      ([gate, count]) => html`<${Gate} key=${gate} session=${session.id} gate=${gate} count=${count} doing=${doing} />`,
    )}
    ${rows.length > 0 && html`<ul class="flying">${rows.slice(0, SHOWN).map((row) => html`<${Stream} key=${row.number}
      row=${row} />`)}</ul>`}
  </section>`;
}

/** What is special about it, in words. @param {Session} session */
function setUp({ use, queue, scenarios, dialect, clock, speed }) {
  const queued = queue.reduce((sum, each) => sum + each.times, 0);
  const said = [
    use && `uses ${use}`,
    queued && `${counted(queued, "answer")} queued`,
    scenarios.length > 0 && `own scenarios: ${scenarios.join(", ")}`,
    dialect && `dialect ${dialect}`,
    clock === "manual" && "manual clock",
    speed !== 1 && `speed ${speed}`,
  ];
  return said.filter(Boolean);
}

/** @param {{session: Session, doing: (done: Promise<unknown>) => void, judge: () => void}} props */
function Buttons({ session: { id, hold }, doing, judge }) {
  const toggle = () => doing(api.post(id, "hold", { all: !hold }));
  const reset = () => doing(api.post(id, "reset"));
  return html`<span class="buttons">
    <button type="button" onClick=${judge}
      title="What the client did wrong, as far as the journal proves it">Judge</button>
    <button type="button" onClick=${toggle} aria-pressed=${hold ? "true" : "false"}
      title="Stop each stream that begins from now on before each event">${hold ? "Held" : "Hold"}</button>
    <button type="button" onClick=${reset} title="End what is in flight, forget all, begin anew">Reset</button>
  </span>`;
}

/** @param {{findings: Finding[]}} props */
function Verdict({ findings }) {
  if (!findings.length) return html`<p class="waits" role="status">Nothing is proved against the client.</p>`;
  const rows = findings.map(({ code, says }) => html`<li><b class="bad">${code}</b> ${says}</li>`);
  return html`<div class="waits" role="status"><ul>${rows}</ul></div>`;
}

/** @param {{session: string, gate: string, count: number, doing: (done: Promise<unknown>) => void}} props */
function Gate({ session, gate, count, doing }) {
  const release = (/** @type {object | undefined} */ body) => doing(api.release(session, gate, body));
  const step = (/** @type {number} */ events) =>
    doing(events ? api.post(session, "step", { events }) : api.post(session, "hold", { all: false }));
  return html`<div class="waits">
    <span>${counted(count, "stream")} ${gate === "*" ? "held before an event" : `at gate ${gate}`}</span>
    <${ReleaseButtons} gate=${gate} release=${release} step=${step} />
  </div>`;
}

/** @param {{row: Row}} props */
function Stream({ row }) {
  const { number, scenario, gate } = row;
  return html`<li>
    <a href=${format(["requests", String(number)])}>request ${number}</a> ${scenario}${" "}
    <span class="faint">${gate ? `at gate ${gate}` : "in flight"}</span>
  </li>`;
}
