// @ts-check
/** How a scenario is to be played: what the address says (overlays, dialect, attempt) and what this tab remembers. */

import { curlLine } from "../lib/curl.js";
import { format } from "../lib/route.js";
import { Copy } from "../parts/bits.js";
import { requestOf } from "../play.js";
import { useStore } from "../store.js";
import { html, useState } from "../ui.js";

/** @import { Options, Play } from "../play.js" */
/** @import { Whole } from "../types.js" */

const KEY = "fakeserver-play";
const SPEEDS = [
  ["", "the server's"],
  ["0.1", "⅒ ×"],
  ["0.5", "½ ×"],
  ["1", "1 ×"],
  ["2", "2 ×"],
  ["10", "10 ×"],
  ["instant", "instant"],
];
const REMEMBERED = { speed: "", stream: true, usage: true, message: "Hello", key: "", hold: false };

/** @param {Whole} whole @param {Record<string, string>} query */
export function useOptions(whole, query) {
  const [kept, setKept] = useState(() => ({ ...REMEMBERED, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") }));
  const overlays = (query.overlays ?? "").split(",").filter(Boolean);
  /** @type {Options} */
  const value = {
    ...kept,
    selector: [whole.name, ...overlays].join("+"),
    model: whole.name,
    protocol: whole.protocol,
    dialect: query.dialect ?? "",
    attempt: Number(query.attempt ?? 1) || 1,
  };
  return {
    value,
    overlays,
    /** @param {Partial<typeof REMEMBERED>} patch */
    set: (patch) =>
      setKept((/** @type {object} */ before) => {
        const now = { ...before, ...patch };
        sessionStorage.setItem(KEY, JSON.stringify(now));
        return now;
      }),
    /** @param {Record<string, string>} patch */
    go: (patch) => location.replace(format(["scenarios", whole.name], { ...query, ...patch })),
  };
}

/** @param {{whole: Whole, options: ReturnType<typeof useOptions>, play: Play | null, onPlay: () => void}} props */
export function Controls({ whole, options, play, onPlay }) {
  const runs = play !== null && play.phase !== "over";
  return html`<section class="controls" aria-label="Play">
    <div class="row">
      ${runs ? html`<button type="button" class="main stop"
        onClick=${() => play.stop()}><span aria-hidden="true">■</span> Stop</button>` : html`<button type="button" class="main" data-play=""
          onClick=${onPlay}><span aria-hidden="true">▶</span> Play</button>`}
      <${Choices} whole=${whole} options=${options} />
    </div>
    <div class="under"><${Overlays} options=${options} /><${Lines} options=${options} /></div>
  </section>`;
}

/** @param {{whole: Whole, options: ReturnType<typeof useOptions>}} props */
function Choices({ whole, options }) {
  const dialects = useStore((state) => state.dialects);
  const { value, set, go } = options;
  const attempts = whole.attempts ?? 1;
  return html`
    <label>Speed <select value=${value.speed}
      onChange=${(/** @type {any} */ event) => set({ speed: event.target.value })}>${SPEEDS.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select></label>
    <label>Dialect <select value=${value.dialect}
      onChange=${(/** @type {any} */ event) => go({ dialect: event.target.value })}>
      <option value="">${whole.dialect ?? "openai"}, its own</option>${dialects.map((each) => html`<option
        value=${each.name} title=${each.about}>${each.name}</option>`)}</select></label>
    ${
      attempts > 1 &&
      html`<label>Attempt <select value=${value.attempt}
        onChange=${(/** @type {any} */ event) => go({ attempt: event.target.value })}>
      ${Array.from({ length: attempts }, (_, index) => html`<option
        value=${index + 1}>${index + 1} of ${attempts}</option>`)}</select></label>`
    }
    <label class="grows">Message <input type="text" value=${value.message}
      onInput=${(/** @type {any} */ event) => set({ message: event.target.value })} /></label>
    <${Check} name="stream" on=${value.stream} set=${(/** @type {boolean} */ stream) => set({ stream })} />
    <${Check} name="usage" about="Ask for the usage: stream_options.include_usage" on=${value.usage}
      set=${(/** @type {boolean} */ usage) => set({ usage })} />
    <${Check} name="step by step" about="Hold before each event until Step is pressed" on=${value.hold}
      set=${(/** @type {boolean} */ hold) => set({ hold })} />`;
}

/** @param {{name: string, about?: string, on: boolean, set: (on: boolean) => void}} props */
function Check({ name, about, on, set }) {
  return html`<label class="check" title=${about}><input type="checkbox" checked=${on}
    onChange=${(/** @type {any} */ event) => set(event.target.checked)} />${name}</label>`;
}

/** @param {{options: ReturnType<typeof useOptions>}} props */
function Overlays({ options }) {
  const known = useStore((state) => state.overlays);
  const chosen = options.overlays;
  const pick = (/** @type {string} */ name, /** @type {boolean} */ on) =>
    options.go({ overlays: (on ? [...chosen, name] : chosen.filter((each) => each !== name)).join(",") });
  return html`<fieldset class="overlays"><legend>Overlays</legend>${known.map(
    (each) => html`
    <${Check} key=${each.name} name=${`+${each.name}`} about=${each.about ?? undefined}
      on=${chosen.includes(each.name)} set=${(/** @type {boolean} */ on) => pick(each.name, on)} />`,
  )}</fieldset>`;
}

/** The same for a terminal or a client. @param {{options: ReturnType<typeof useOptions>}} props */
function Lines({ options }) {
  const { value, set } = options;
  const { root, url, headers, body } = requestOf(value);
  return html`<span class="lines">
    <${Copy} text=${curlLine(url, headers, body)} label="the curl line" name="curl" /><${Copy} text=${root}
      label="the base URL" name="base URL" />
    <details class="more"><summary>API key</summary><label>API key, where the server wants one <input type="text"
      autocomplete="off" value=${value.key} onInput=${(/** @type {any} */ event) => set({ key: event.target.value })}
        /></label></details>
  </span>`;
}
