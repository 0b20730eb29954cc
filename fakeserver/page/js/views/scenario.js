// @ts-check
/** One scenario: what it is, what it sends and when, and the playing of it. */

import { api, words } from "../api.js";
import { planRows } from "../lib/plan.js";
import { format } from "../lib/route.js";
import { Problems } from "../parts/bits.js";
import { Code } from "../parts/bytes.js";
import { Waterfall } from "../parts/waterfall.js";
import { arrivals } from "../play.js";
import { nextFrame, useStore } from "../store.js";
import { html, useEffect, useMemo, useState } from "../ui.js";
import { Controls, useOptions } from "./controls.js";
import { Outcome, usePlay } from "./outcome.js";

/** @import { Whole } from "../types.js" */

/** @param {{name: string, query: Record<string, string>}} props */
export function Scenario({ name, query }) {
  const { whole, problem } = useWhole(name, query);
  if (problem && !whole)
    return html`<div class="welcome"><h1>${name}</h1><p class="bad" role="alert">${problem}</p><p><a
      href="#/library">The library</a></p></div>`;
  if (!whole) return html`<p class="empty">Loading ${name} …</p>`;
  return html`<article class="scenario" aria-labelledby="scenario-name">
    <header class="about">
      <h1 id="scenario-name" tabindex="-1">${whole.name}</h1>
      <p>${whole.about}</p>
      <ul class="chips"
        aria-label="Kind, tags and protocol">${[whole.kind, ...whole.tags.filter((tag) => tag !== whole.kind), whole.protocol].map((each) => html`<li>${each}</li>`)}</ul>
      ${whole.source.length > 0 && html`<p
        class="faint sources">Seen in ${whole.source.map((each, index) => [index ? ", " : "", html`<${Source}
          text=${each} />`])}</p>`}
    </header>
    <${Problems} problems=${whole.problems} title="Why it cannot be played" />
    <${Playing} whole=${whole} query=${query} problem=${problem} />
  </article>`;
}

/** @param {{text: string}} props */
function Source({ text }) {
  return /^https:\/\//.test(text)
    ? html`<a href=${text} rel="noreferrer noopener" target="_blank">${text.slice(8)}</a>`
    : text;
}

/** @param {{whole: Whole, query: Record<string, string>, problem: string}} props */
function Playing({ whole, query, problem }) {
  const options = useOptions(whole, query);
  const { play, start } = usePlay();
  // What this very request is answered with, once the server has told; until then what the scenario plans.
  const timeline = play?.record?.timeline ?? whole.timeline;
  const rows = useMemo(() => (timeline ? planRows(timeline) : []), [timeline]);
  const arrived = play && arrivals(play, rows);
  return html`
    <${Controls} whole=${whole} options=${options} play=${play} onPlay=${() => start(options.value)} />
    ${problem && html`<p class="bad" role="alert">${problem}</p>`}
    <div class="halves">
      <section aria-label="Timeline">
        <header><h2>Timeline</h2><p
          class="faint">${play?.record ? "planned and actual" : play ? "planned, and as it arrives" : "planned"}${timeline?.idle && `; keep-alive in silences`}</p></header>
        ${timeline ? html`<${Waterfall} key=${whole.name} rows=${rows} record=${play?.record}
          pace=${paceOf(options.value.speed)} arrived=${arrived ?? undefined} gate=${play?.gate} />` : html`<p
            class="empty">It has no timeline.</p>`}
      </section>
      <${Outcome} play=${play} yaml=${html`<${Code} text=${whole.yaml} language="yaml" label="The scenario's YAML"
        />`} file=${whole.file} />
    </div>`;
}

/** How much slower than scripted. @param {string} speed */
function paceOf(speed) {
  return speed === "instant" ? 0 : 1 / (Number(speed) || 1);
}

/** The scenario, in the dialect and with the overlays of the address; again when the library changes.
 * @param {string} name @param {Record<string, string>} query */
function useWhole(name, query) {
  const library = useStore((state) => state.library);
  const [found, setFound] = useState(
    /** @type {{whole: Whole | null, problem: string}} */ ({ whole: null, problem: "" }),
  );
  const asked = format([name], query);
  useEffect(() => {
    const leave = new AbortController();
    const { overlays, dialect, attempt } = query;
    const said = Object.entries({ overlays, dialect, attempt }).filter(([, value]) => value);
    api.scenario(name, Object.fromEntries(said), leave.signal).then(
      (whole) => setFound({ whole, problem: "" }),
      (problem) =>
        leave.signal.aborted || nextFrame(() => setFound((before) => ({ ...before, problem: words(problem) }))),
    );
    return () => leave.abort();
  }, [asked, library]);
  return found;
}
