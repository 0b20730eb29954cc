// @ts-check
/** What came of a play: where it stands, the answer as it grows, events, reads, and both sides' word on its end. */

import { words } from "../api.js";
import { counted, size, span } from "../lib/format.js";
import { format } from "../lib/route.js";
import { Ended, Status, Tabs } from "../parts/bits.js";
import { Copy } from "../parts/bits.js";
import { ReleaseButtons } from "../parts/release.js";
import { Play } from "../play.js";
import { change, nextFrame } from "../store.js";
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
          name: html`Events <span class="faint">${play.events.length}</span>`,
          body: () => html`<${Events} play=${play} />`,
        },
        {
          id: "reads",
          name: html`Reads <span class="faint">${play.reads.length}</span>`,
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
        release=${(/** @type {object | undefined} */ body) => play.release(body).catch(told)}
      step=${(/** @type {number} */ events) => play.step(events).catch(told)} />`
    }
    ${play.end && html`<${Sides} play=${play} />`}
  </div>`;
}

/** @param {unknown} problem */
function told(problem) {
  change({ notice: words(problem) });
}

/** It changes a few times a play, so that it can be read aloud. @param {Play} play */
function spoken(play) {
  if (play.end) return `Over: ${play.end.words}.`;
  if (play.gate === "*") return "Held before the next event.";
  if (play.gate) return `Waiting at gate ${play.gate}.`;
  return { begins: "Preparing …", asks: "Asked; nothing has come yet.", reads: "Reading …", over: "" }[play.phase];
}

/** @param {{play: Play}} props */
function Sides({ play }) {
  const { end, record } = play;
  if (!end) return null;
  return html`<dl class="sides">
    <dt>This browser</dt><dd><${Ended} ended=${{ clean: "complete", error: "broken", stopped: "stopped" }[end.how]}
      words=${end.words} />${" "}
      <span class="faint">at ${span(end.at * 1e6)}, ${counted(play.events.length, "event")}, ${size(play.total)} in ${counted(play.reads.length, "read")}</span></dd>
    <dt>The server</dt><dd>${
      record
        ? html`<${Ended} ended=${record.ending?.how ?? "in flight"} words=${record.how} />${" "}
      <span class="faint">at ${span(record.ending?.at)}, ${counted(record.events, "event")}, ${size(record.bytes)} in ${counted(record.writes, "write")};</span>
      ${" "}<a href=${format(["requests", String(record.number)])}>request ${record.number}</a>`
        : html`<span class="faint">…</span>`
    }</dd>
    ${play.rest && html`<dt>Left over</dt><dd
      class="faint">${counted(play.rest.length, "character")} of an event that never became whole</dd>`}
  </dl>`;
}

/** @param {{play: Play}} props */
function Headers({ play }) {
  return html`<table class="plain"><caption class="unseen">The answer's headers</caption><tbody>
    <tr><th scope="row">status</th><td><${Status} status=${play.status} /></td></tr>
    ${play.headers.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody>
      </table>`;
}
