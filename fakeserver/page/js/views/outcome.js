// @ts-check
/** What came of a play: where it stands, the answer as it grows, events, reads, and both sides' word on its end. */

import { counted, size, span } from "../lib/format.js";
import { format } from "../lib/route.js";
import { Copy, Ended, Status, Tabs, tell } from "../parts/bits.js";
import { ReleaseButtons } from "../parts/release.js";
import { Play } from "../play.js";
import { nextFrame } from "../store.js";
import { html, useEffect, useRef, useState } from "../ui.js";
import { Answer } from "./answer.js";
import { Events, Reads } from "./arrived.js";

/** One play at a time: a new one, or leaving, stops the one before. */
export function usePlay() {
  const [, redraw] = useState(0);
  const play = useRef(/** @type {Play | null} */ (null));
  const [draw] = useState(() => () => redraw((count) => count + 1));
  useEffect(() => () => play.current?.stop(), []);
  return {
    play: play.current,
    /** @param {import("../play.js").Options} options */
    start(options) {
      play.current?.stop();
      play.current = new Play(options, () => nextFrame(draw));
      void play.current.run();
      draw();
    },
  };
}

/** @param {{play: Play | null, yaml: any, file: string}} props */
export function Outcome({ play, yaml, file }) {
  const [tab, setTab] = useState(play ? "answer" : "yaml");
  useEffect(() => {
    if (play) setTab((before) => (before === "yaml" ? "answer" : before));
  }, [play]);
  const source = {
    id: "yaml",
    name: "YAML",
    body: () =>
      html`<p class="faint file"><code>${file}</code> <${Copy} text=${file} label="the file's path" /></p>${yaml}`,
  };
  const tabs = play
    ? [
        { id: "answer", name: "Answer", body: () => html`<${Answer} play=${play} />` },
        {
          id: "events",
          name: html`Events <span class="faint">${play.taken.events.length}</span>`,
          body: () => html`<${Events} play=${play} />`,
        },
        {
          id: "reads",
          name: html`Reads <span class="faint">${play.taken.reads.length}</span>`,
          body: () => html`<${Reads} play=${play} />`,
        },
        { id: "headers", name: "Headers", body: () => html`<${Headers} play=${play} />` },
        source,
      ]
    : [source];
  return html`<section class="outcome" aria-label="Outcome">
    ${play && html`<${Standing} play=${play} />`}
    <${Tabs} label="What came of it" tabs=${tabs} value=${tab} onChange=${setTab} />
  </section>`;
}

/** @param {{play: Play}} props */
function Standing({ play }) {
  return html`<div class="standing">
    <p role="status" aria-live="polite">${spoken(play)}</p>
    ${
      play.gate &&
      html`<${ReleaseButtons} gate=${play.gate}
        release=${(/** @type {object | undefined} */ body) => play.release(body).catch(tell)}
      step=${(/** @type {number} */ events) => play.step(events).catch(tell)} />`
    }
    ${play.end && html`<${Sides} play=${play} />`}
  </div>`;
}

/** It changes a few times a play, so that it can be read aloud. @param {Play} play */
function spoken(play) {
  if (play.end) return `Over: ${play.end.words}.`;
  if (play.gate === "*") return "Held before the next event.";
  if (play.gate) return `Waiting at gate ${play.gate}.`;
  return { begins: "Preparing …", asks: "Asked; nothing has come yet.", reads: "Reading …", over: "" }[play.phase];
}

const HERE = { clean: "complete", error: "broken", stopped: "stopped" }; // as the server would call it

/** @param {{play: Play}} props */
function Sides({ play }) {
  const { end, record, taken } = play;
  if (!end) return null;
  const left = taken.rest && `${counted(taken.rest.length, "character")} of an event that never became whole`;
  return html`<dl class="sides">
    <dt>This browser</dt>
    <dd>
      <${Ended} ended=${play.refused ? "ended" : HERE[end.how]} words=${end.words} />${" "}
      <${Amount} at=${end.at * 1e6} events=${taken.events.length} bytes=${taken.total}
        calls=${counted(taken.reads.length, "read")} />
    </dd>
    <dt>The server</dt>
    <dd>${record?.ending ? html`<${Account} record=${record} />` : html`<span class="faint">…</span>`}</dd>
    ${left && html`<dt>Left over</dt><dd class="faint">${left}</dd>`}
  </dl>`;
}

/** @param {{record: import("../types.js").RequestRecord}} props */
function Account({ record }) {
  const { number, how, ending, events, bytes, writes } = record;
  return html`<${Ended} ended=${ending?.how ?? "in flight"} words=${how} />${" "}
    <${Amount} at=${ending?.at} events=${events} bytes=${bytes} calls=${counted(writes, "write")} />${" "}
    <a href=${format(["requests", String(number)])}>request ${number}</a>`;
}

/** @param {{at: number | undefined, events: number, bytes: number, calls: string}} props */
function Amount({ at, events, bytes, calls }) {
  return html`<span class="faint">at ${span(at)}, ${counted(events, "event")}, ${size(bytes)} in ${calls}</span>`;
}

/** @param {{play: Play}} props */
function Headers({ play }) {
  return html`<table class="plain"><caption class="unseen">The answer's headers</caption><tbody>
    <tr><th scope="row">status</th><td><${Status} status=${play.status} /></td></tr>
    ${play.headers.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody>
      </table>`;
}
