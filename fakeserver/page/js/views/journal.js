// @ts-check
/** All requests, live, the newest first; beside one of them the same as a narrow list. */

import { clock, counted, grouped, size, span } from "../lib/format.js";
import { IN_FLIGHT, filtered, placeOf } from "../lib/rows.js";
import { format } from "../lib/route.js";
import { Ended, Status } from "../parts/bits.js";
import { Choose, Filters, Search } from "../parts/fields.js";
import { VTable } from "../parts/vtable.js";
import { useStore } from "../store.js";
import { html, useEffect, useMemo, useState } from "../ui.js";
import { Request } from "./request.js";

/** @import { Row } from "../types.js" */

const NUMBER = { name: "#", kind: "number" };
const FULL = [
  NUMBER,
  { name: "Time", kind: "number" },
  { name: "Session", kind: "k-session" },
  { name: "Scenario", kind: "k-scenario" },
  { name: "Why", kind: "wide", about: "Why this scenario answered" },
  { name: "Status", kind: "number" },
  { name: "Ended", kind: "k-how" },
  { name: "Events", kind: "number" },
  { name: "Size", kind: "number" },
  { name: "Took", kind: "number" },
  { name: "Late", kind: "number late", about: "99 of 100 writes were no later than this" },
];
const WHICH = [
  ["", "all requests"],
  ["flight", "in flight"],
  ["unmatched", "unmatched"],
  ["failed", "not complete"],
];
const ALL = { text: "", session: "", only: "" };
const SHORT = [NUMBER, { name: "Scenario", kind: "k-scenario" }, { name: "Ended", kind: "k-how" }];

/** @param {{route: import("../lib/route.js").Route}} props */
export function Journal({ route }) {
  const chosen = route.parts[0] === "requests" ? Number(route.parts[1]) || 0 : null;
  return html`<div class=${`split journal ${chosen === null ? "all" : "one"}`}>
    <${List} chosen=${chosen} query=${route.query} />
    ${chosen !== null && html`<div class="pane"><${Request} key=${chosen} number=${chosen} /></div>`}
  </div>`;
}

/** @param {{chosen: number | null, query: Record<string, string>}} props */
function List({ chosen, query }) {
  const all = useStore((state) => state.rows);
  const [held, setHeld] = useState(/** @type {Row[] | null} */ (null));
  const [filter, setFilter] = useState(ALL);
  const asked = format([], query);
  // An address that names a filter sets it; one that names none leaves it, so that a way back leads to the same list.
  useEffect(
    () => void (chosen === null && asked !== "#/" && setFilter({ ...ALL, ...query })),
    [asked, chosen === null],
  );
  const live = useMemo(() => (held ? current(held, all) : all), [held, all]);
  const rows = useMemo(() => filtered(live, filter), [live, filter]);
  const set = (/** @type {Partial<typeof filter>} */ patch) => {
    const now = { ...filter, ...patch };
    setFilter(now);
    if (chosen === null) history.replaceState(null, "", format(["journal"], now));
  };
  const narrow = chosen !== null;
  const row = (/** @type {number} */ index, /** @type {object} */ handle) =>
    drawn(rows[index], handle, narrow, rows[index].number === chosen);
  return html`<section class="side" aria-label="Journal">
    ${!narrow && html`<h1 class="unseen" tabindex="-1">Journal</h1>`}
    <${Finding} filter=${filter} set=${set} all=${all} shown=${rows.length} fresh=${held ? newer(all, held) : 0}
      held=${held !== null}
      hold=${() => setHeld(held ? null : all)} />
    ${
      rows.length > 0
        ? html`<${VTable} label="Requests" columns=${narrow ? SHORT : FULL} count=${rows.length} row=${row}
          kind=${narrow ? "requests narrow" : "requests"} steady=${true}
      placeOf=${(/** @type {number} */ key) => placeOf(rows, key)}
        keyAt=${(/** @type {number} */ index) => rows[index]?.number} reveal=${chosen} />`
        : html`<${None} all=${all.length} />`
    }
  </section>`;
}

/** A list that is held, with each row as it is now. @param {Row[]} held @param {Row[]} all */
function current(held, all) {
  return held.map((row) => (row.ended === IN_FLIGHT ? (all[placeOf(all, row.number)] ?? row) : row));
}

/** @param {Row[]} all @param {Row[]} held */
function newer(all, held) {
  const newest = held[0]?.number ?? 0;
  const place = all.findIndex((row) => row.number <= newest);
  return place < 0 ? all.length : place;
}

/** @param {{all: number}} props */
function None({ all }) {
  const loading = useStore((state) => state.loading);
  if (loading) return html`<p class="empty">Loading …</p>`;
  if (all) return html`<p class="empty">No request is like that.</p>`;
  return html`<div class="welcome"><h2>Nothing has been asked yet</h2>
    <p>Point a client at <code>${location.origin}/v1</code>, or <a
      href="#/library">play a scenario</a>; each request appears here as it comes.</p></div>`;
}

/**
 * @param {{filter: import("../lib/rows.js").Filter, set: (patch: object) => void, all: Row[], shown: number, fresh:
 *   number, held: boolean, hold: () => void}} props
 */
function Finding({ filter, set, all, shown, fresh, held, hold }) {
  const sessions = useMemo(() => [...new Set(all.map((row) => row.session))].sort(), [all]);
  const dropped = useStore((state) => state.dropped);
  const change = (/** @type {string} */ name) => (/** @type {string} */ to) => set({ [name]: to });
  const sessionChoices = [["", "all sessions"], ...sessions.map((each) => [each, each])];
  const count = shown === all.length ? counted(all.length, "request") : `${grouped(shown)} of ${grouped(all.length)}`;
  return html`<${Filters}>
    <${Search} label="Filter requests by any text" hint="Filter ( / )" value=${filter.text} set=${change("text")} />
    <${Choose} label="Session" hidden=${true} choices=${sessionChoices} value=${filter.session}
      set=${change("session")} />
    <${Choose} label="Which requests" hidden=${true} choices=${WHICH} value=${filter.only} set=${change("only")} />
    <button type="button" aria-pressed=${held ? "true" : "false"} onClick=${hold}
      title="New requests are not shown until you follow again">
      ${!held ? "Pause" : fresh ? `Follow (${fresh} new)` : "Follow"}
    </button>
    <span class="faint count">${count}${dropped > 0 && ` · ${grouped(dropped)} older ones no longer kept`}</span>
  <//>`;
}

/** @param {Row} row @param {object} handle @param {boolean} narrow @param {boolean} selected */
function drawn(row, handle, narrow, selected) {
  const flight = row.ended === IN_FLIGHT;
  const link = html`<a href=${format(["requests", String(row.number)])} ...${handle}>${row.number}</a>`;
  const scenario = row.unmatched
    ? html`<b class="bad">unmatched</b>`
    : html`${
        row.scenario ||
        html`<span
      class="faint">${row.method} ${row.path}</span>`
      }${
        row.attempt > 1 &&
        html` <span
        class="faint">#${row.attempt}</span>`
      }`;
  const how = html`<span title=${row.how}><${Ended} ended=${row.ended}
    words=${flight ? (row.gate ? `at gate ${row.gate}` : "in flight") : narrow ? row.ended : row.how} /></span>`;
  const kind = [flight ? "flight" : "", row.unmatched ? "unmatched" : ""].join(" ");
  if (narrow) return { key: row.number, cells: [link, scenario, how], kind, selected };
  const cells = [
    link,
    clock(row.at),
    row.session,
    scenario,
    row.why,
    html`<${Status} status=${row.status} />`,
    how,
    flight ? "" : row.events,
    flight ? "" : size(row.bytes),
    span(row.took_ns),
    html`<span class=${(row.lateness_p99_ns ?? 0) > 5e6 ? "warn" : "faint"}>${span(row.lateness_p99_ns)}</span>`,
  ];
  return { key: row.number, cells, kind, selected };
}
