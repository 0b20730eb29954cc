// @ts-check
/**
 * Sessions with what is in flight in them, the gates at which streams wait, and what is set up for the next requests.
 */

import { api, words } from "../api.js";
import { counted } from "../lib/format.js";
import { format } from "../lib/route.js";
import { IN_FLIGHT } from "../lib/rows.js";
import { useEvery } from "../parts/bits.js";
import { ReleaseButtons } from "../parts/release.js";
import { change, useStore } from "../store.js";
import { html, useEffect, useState } from "../ui.js";

/** @import { Row, Session } from "../types.js" */

const SHOWN = 200; // sessions

export function Desk() {
  const [sessions, setSessions] = useState(/** @type {Session[] | null} */ (null));
  const rows = useStore((state) => state.rows);
  const link = useStore((state) => state.link);
  const look = () => void (link === "live" && api.sessions().then((said) => setSessions(said.sessions), told));
  useEffect(look, [rows, link]);
  useEvery(look, 2000, [link]);
  const flying = rows.filter((row) => row.ended === IN_FLIGHT);
  const streams = flying.length ? `${counted(flying.length, "stream")} in flight` : "Nothing is in flight.";
  const busy = [...(sessions ?? [])].reverse().sort((one, other) => weight(other) - weight(one));
  return html`<div class="desk">
    <h1 tabindex="-1">Desk</h1>
    <p class="faint">${streams} ${sessions && `· ${counted(sessions.length, "session")}`}</p>
    ${busy.slice(0, SHOWN).map(
      (session) => html`<${One} key=${session.id} session=${session}
      rows=${flying.filter((row) => row.session === session.id)} again=${look} />`,
    )}
    ${
      sessions?.length === 0 &&
      html`<p
      class="empty">No session yet: the first request to <code>/session/ID/v1</code> makes one.</p>`
    }
  </div>`;
}

/** @param {Session} session */
function weight(session) {
  return Object.keys(session.gates).length * 1000 + session.in_flight;
}

/** @param {{session: Session, rows: Row[], again: () => void}} props */
function One({ session, rows, again }) {
  const doing = (/** @type {Promise<unknown>} */ done) => void done.then(again, told);
  const hold = () => doing(api.post(session.id, "hold", { all: !session.hold }));
  const set = [
    session.use && `uses ${session.use}`,
    session.queue.length > 0 &&
      `${counted(
        session.queue.reduce((sum, each) => sum + each.times, 0),
        "answer",
      )} queued`,
    session.scenarios.length > 0 && `own scenarios: ${session.scenarios.join(", ")}`,
    session.dialect && `dialect ${session.dialect}`,
    session.clock === "manual" && "manual clock",
    session.speed !== 1 && `speed ${session.speed}`,
  ].filter(Boolean);
  return html`<section class=${`session ${session.in_flight ? "busy" : ""}`} aria-label=${`Session ${session.id}`}>
    <header>
      <h2><a href=${format(["journal"], { session: session.id })}>${session.id}</a></h2>
      <span class="faint">${counted(session.records, "record")}${set.length > 0 && ` · ${set.join(" · ")}`}</span>
      <span class="buttons">
        <button type="button" aria-pressed=${session.hold ? "true" : "false"} onClick=${hold}
          title="Stop each stream that begins from now on before each event">
          ${session.hold ? "Held" : "Hold"}
        </button>
        <button type="button" onClick=${() => doing(api.post(session.id, "reset"))}
          title="End what is in flight, forget all, begin anew">Reset</button></span>
    </header>
    ${Object.entries(session.gates).map(
      ([gate, count]) => html`<div class="waits" key=${gate}>
        <span>${counted(count, "stream")} ${gate === "*" ? "held before an event" : `at gate ${gate}`}</span>
      <${ReleaseButtons} gate=${gate}
        release=${(/** @type {object | undefined} */ body) => doing(api.release(session.id, gate, body))}
          step=${(/** @type {number} */ events) =>
            doing(
              events ? api.post(session.id, "step", { events }) : api.post(session.id, "hold", { all: false }),
            )} /></div>`,
    )}
    ${
      rows.length > 0 &&
      html`<ul class="flying">${rows.slice(0, 20).map(
        (row) => html`<li key=${row.number}><a
      href=${format(["requests", String(row.number)])}>request ${row.number}</a> ${row.scenario} <span
        class="faint">${row.gate ? `at gate ${row.gate}` : "in flight"}</span></li>`,
      )}</ul>`
    }
  </section>`;
}

/** @param {unknown} problem */
function told(problem) {
  change({ notice: words(problem) });
}
