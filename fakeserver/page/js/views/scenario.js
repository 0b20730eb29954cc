// @ts-check
/** One scenario: what it is, what it sends and when, and the playing of it. */

import { api } from "../api.js";
import { arrivals } from "../lib/arrivals.js";
import { planRows } from "../lib/plan.js";
import { format } from "../lib/route.js";
import { Problems } from "../parts/bits.js";
import { Code } from "../parts/bytes.js";
import { Waterfall } from "../parts/waterfall.js";
import { nextFrame, useStore } from "../store.js";
import { html, useEffect, useMemo, useState } from "../ui.js";
import { Controls, useOptions } from "./controls.js";
import { Missing } from "./missing.js";
import { Outcome, usePlay } from "./outcome.js";

/** @import { Whole } from "../types.js" */

/** @param {{name: string, query: Record<string, string>}} props */
export function Scenario({ name, query }) {
  const { whole, problem } = useWhole(name, query);
  if (problem && !whole)
    return html`<div class="welcome"><h1>${name}</h1>
      <${Missing} name=${name} query=${query} problem=${problem} /></div>`;
  if (!whole) return html`<p class="empty">Loading ${name} …</p>`;
  const chips = [whole.kind, ...whole.tags.filter((tag) => tag !== whole.kind), whole.protocol];
  return html`<article class="scenario" aria-labelledby="scenario-name">
    <header class="about">
      <h1 id="scenario-name" tabindex="-1">${whole.name}</h1>
      <p>${whole.about}</p>
      <ul class="chips" aria-label="Kind, tags and protocol">${chips.map((each) => html`<li>${each}</li>`)}</ul>
      ${whole.source.length > 0 && html`<${Sources} sources=${whole.source} />`}
    </header>
    <${Problems} problems=${whole.problems} title="Why it cannot be played" />
    <${Playing} whole=${whole} query=${query} problem=${problem} />
  </article>`;
}

/** @param {{sources: string[]}} props */
function Sources({ sources }) {
  const link = (/** @type {string} */ url) =>
    html`<a href=${url} rel="noreferrer noopener" target="_blank">${url.slice(8)}</a>`;
  const each = sources.map((text, index) => [index > 0 && ", ", text.startsWith("https://") ? link(text) : text]);
  return html`<p class="faint sources">Seen in ${each}</p>`;
}

/** @param {{whole: Whole, query: Record<string, string>, problem: unknown}} props */
function Playing({ whole, query, problem }) {
  const options = useOptions(whole, query);
  const { play, start } = usePlay();
  const mine = play && same(play.options, options.value) ? play : null; // what is shown may have been changed since
  // What this very request is answered with, once the server has told; until then what the scenario plans.
  const timeline = mine?.timeline ?? whole.timeline;
  const rows = useMemo(() => (timeline ? planRows(timeline) : []), [timeline]);
  const onPlay = () => start(options.value);
  const yaml = html`<${Code} text=${whole.yaml} language="yaml" label="The scenario's YAML" />`;
  return html`
    <${Controls} whole=${whole} options=${options} play=${play} onPlay=${onPlay} />
    ${
      problem &&
      html`<div class="welcome">
        <${Missing} name=${whole.name} query=${query} problem=${problem} /></div>`
    }
    <div class="halves">
      <section aria-label="Timeline">
        <header>
          <h2>Timeline</h2>
          <p class="faint">${mine?.record ? "planned and actual" : mine ? "planned, and as it arrives" : "planned"}</p>
        </header>
        ${
          timeline
            ? html`<${Waterfall} key=${whole.name} rows=${rows} record=${mine?.record}
              pace=${paceOf(options.value.speed)}
              arrived=${mine ? arrivals(mine.taken.reads, rows) : undefined} gate=${mine?.gate} />`
            : html`<p class="empty">It has no timeline.</p>`
        }
      </section>
      <${Outcome} play=${play} yaml=${yaml} file=${whole.file} />
    </div>`;
}

/**
 * Whether they are answered with the same plan.
 * @param {import("../play.js").Options} one
 * @param {import("../play.js").Options} other
 */
function same(one, other) {
  return one.selector === other.selector && one.dialect === other.dialect && one.attempt === other.attempt;
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
    /** @type {{whole: Whole | null, problem: unknown}} */ ({ whole: null, problem: null }),
  );
  const asked = format([name], query);
  useEffect(() => {
    const leave = new AbortController();
    const { overlays, dialect, attempt } = query;
    const said = Object.entries({ overlays, dialect, attempt }).filter(([, value]) => value);
    api.scenario(name, Object.fromEntries(said), leave.signal).then(
      (whole) => setFound({ whole, problem: null }),
      (problem) =>
        leave.signal.aborted || nextFrame(() => setFound((before) => ({ ...before, problem }))),
    );
    return () => leave.abort();
  }, [asked, library]);
  return found;
}
