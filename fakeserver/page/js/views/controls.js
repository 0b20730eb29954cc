// @ts-check
/** How a scenario is to be played: what the address says (overlays, dialect, attempt) and what this tab remembers. */

import { api, authorization } from "../api.js";
import { format } from "../lib/route.js";
import { Copy, tell } from "../parts/bits.js";
import { Check, Choose, Typed } from "../parts/fields.js";
import { linesOf, requestOf, sessionOf, settingsOf } from "../request.js";
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
  return html`<section class="controls" aria-label="Play">
    <div class="row">
      <${PlayButton} play=${play} onPlay=${onPlay} />
      <${Choices} whole=${whole} options=${options} />
    </div>
    <div class="under">
      <${Overlays} options=${options} />
      <${Lines} options=${options} />
    </div>
  </section>`;
}

/** @param {{play: Play | null, onPlay: () => void}} props */
function PlayButton({ play, onPlay }) {
  if (play && play.phase !== "over") {
    const stop = () => play.stop();
    return html`<button type="button" class="main stop" onClick=${stop}><span
      aria-hidden="true">■</span> Stop</button>`;
  }
  return html`<button type="button" class="main" onClick=${onPlay}><span aria-hidden="true">▶</span> Play</button>`;
}

/** @param {{whole: Whole, options: ReturnType<typeof useOptions>}} props */
function Choices({ whole, options }) {
  const known = useStore((state) => state.dialects);
  const { value, set, go } = options;
  const count = whole.attempts ?? 1;
  const dialects = [["", `${whole.dialect ?? "openai"}, its own`], ...known.map(({ name }) => [name, name])];
  const attempts = Array.from({ length: count }, (_, index) => [String(index + 1), `${index + 1} of ${count}`]);
  const change = (/** @type {string} */ name) => (/** @type {any} */ to) => set({ [name]: to });
  const visit = (/** @type {string} */ name) => (/** @type {string} */ to) => go({ [name]: to });
  return html`
    <${Choose} label="Speed" choices=${SPEEDS} value=${value.speed} set=${change("speed")} />
    <${Choose} label="Dialect" choices=${dialects} value=${value.dialect} set=${visit("dialect")} />
    ${
      count > 1 &&
      html`<${Choose} label="Attempt" choices=${attempts} value=${String(value.attempt)}
      set=${visit("attempt")} />`
    }
    <${Typed} label="Message" kind="grows" value=${value.message} set=${change("message")} />
    <${Check} label="stream" value=${value.stream} set=${change("stream")} />
    <${Check} label="usage" about="Ask for the usage: stream_options.include_usage" value=${value.usage}
      set=${change("usage")} />
    <${Check} label="step by step" about="Hold before each event until Step is pressed" value=${value.hold}
      set=${change("hold")} />`;
}

/** @param {{options: ReturnType<typeof useOptions>}} props */
function Overlays({ options }) {
  const known = useStore((state) => state.overlays);
  const chosen = options.overlays;
  const pick = (/** @type {string} */ name) => (/** @type {boolean} */ on) =>
    options.go({ overlays: (on ? [...chosen, name] : chosen.filter((each) => each !== name)).join(",") });
  const checks = known.map(
    ({ name, about }) =>
      html`<${Check} key=${name} label=${`+${name}`} about=${about} value=${chosen.includes(name)} set=${pick(name)}
        />`,
  );
  return html`<fieldset class="overlays"><legend>Overlays</legend>${checks}</fieldset>`;
}

/** The same for a terminal or a client. @param {{options: ReturnType<typeof useOptions>}} props */
function Lines({ options }) {
  const { value, set } = options;
  const session = sessionOf({ ...value, attempt: 1 });
  const { root } = requestOf(value, session);
  const base = () => {
    for (const [what, said] of settingsOf(value)) void api.put(session, what, said).catch(tell);
    return root;
  };
  const keep = (/** @type {string} */ key) => set({ key });
  return html`<span class="lines">
    <${Copy} text=${() => linesOf(value, "authorization" in authorization())} label="the curl line" name="curl" />
    <${Copy} text=${base} label="the base URL" name="base URL" />
    <details class="more">
      <summary>API key</summary>
      <${Typed} label="API key, where the server wants one" value=${value.key} set=${keep} />
    </details>
  </span>
  ${
    session &&
    html`<p class="faint hint">The base URL leads to session <code>${session}</code>, which is told the dialect and the
      speed as it is copied.</p>`
  }`;
}
