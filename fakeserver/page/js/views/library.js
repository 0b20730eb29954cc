// @ts-check
/** The library: every scenario by kind, found by what is typed, and one of them beside the list. */

import { found, grouped } from "../lib/find.js";
import { curlLine } from "../lib/curl.js";
import { counted } from "../lib/format.js";
import { format } from "../lib/route.js";
import { Copy, Problems } from "../parts/bits.js";
import { Code } from "../parts/bytes.js";
import { Choose, Filters, Search } from "../parts/fields.js";
import { useStore } from "../store.js";
import { html, useEffect, useMemo, useRef, useState } from "../ui.js";
import { Scenario } from "./scenario.js";

/** @typedef {import("../types.js").Scenario} Row */

/** @param {{route: import("../lib/route.js").Route}} props */
export function Library({ route }) {
  const name = route.parts[0] === "scenarios" ? route.parts[1] : "";
  const problems = useStore((state) => state.problems);
  return html`<div class=${`split ${name ? "one" : "all"}`}>
    <${List} name=${name} kind=${name ? undefined : (route.query.kind ?? "")} />
    <div class="pane">${
      name
        ? html`<${Scenario} key=${name} name=${name} query=${route.query} />`
        : html`<${Welcome}
      problems=${problems} />`
    }</div>
  </div>`;
}

/** @param {{problems: import("../types.js").Problem[]}} props */
function Welcome({ problems }) {
  const scenarios = useStore((state) => state.scenarios);
  const base = `${location.origin}/v1`;
  const line = curlLine(
    `${base}/chat/completions`,
    {},
    JSON.stringify({ model: "hello", stream: true, messages: [{ role: "user", content: "Hi" }] }),
  );
  return html`<div class="welcome">
    <h1>Library</h1>
    <p>Choose a scenario to see its exact bytes and moments, and to play it from here.</p>
    <${Problems} problems=${problems} title="Files that were not taken in" />
    <ul class="kinds" aria-label="Kinds">${grouped(scenarios, (each) => each.kind).map(
      ([kind, members]) => html`<li
      key=${kind}><a href=${format(["library"], { kind })}>${kind} <span class="faint">${members.length}</span></a>
        </li>`,
    )}</ul>
    <h2>From a client</h2>
    <p>Its base URL is <code>${base}</code>, and a scenario's name is a model. <a
      href="#/journal">The journal</a> shows what it asked for and what became of it.</p>
    <div class="snippet"><${Code} text=${line} language="" label="The same with curl" /><${Copy} text=${line}
      label="the curl line" /></div>
  </div>`;
}

/** `given` is the kind in the address. @param {{name: string | undefined, kind: string | undefined}} props */
function List({ name, kind: given }) {
  const scenarios = useStore((state) => state.scenarios);
  const [search, setSearch] = useState("");
  const [kind, setKind] = useState(given ?? "");
  useEffect(() => void (given !== undefined && setKind(given)), [given]);
  const kinds = useMemo(() => grouped(scenarios, (each) => each.kind), [scenarios]);
  const rows = useMemo(() => found(scenarios, search, kind), [scenarios, search, kind]);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(
    () => box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }),
    [name, scenarios],
  );
  const kindChoices = [["", "all kinds"], ...kinds.map(([each, members]) => [each, `${each} (${members.length})`])];
  const shown =
    rows.length === scenarios.length ? counted(rows.length, "scenario") : `${rows.length} of ${scenarios.length}`;
  const down = (/** @type {KeyboardEvent} */ event) => event.key === "ArrowDown" && step(event, box.current, 1);
  const move = (/** @type {KeyboardEvent} */ event) =>
    step(event, box.current, { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0);
  const groups = grouped(rows, (each) => each.kind);
  const stop = rows.some((row) => row.name === name) ? name : rows[0]?.name; // the list is one stop of the Tab key
  return html`<nav class="side" aria-label="Scenarios">
    <${Filters}>
      <${Search} label="Search scenarios by name, words and tags" hint="Search ( / )" value=${search} set=${setSearch}
        onKeyDown=${down} />
      <${Choose} label="Kind" hidden=${true} choices=${kindChoices} value=${kind} set=${setKind} />
      <span class="faint count" role="status">${shown}</span>
    <//>
    <div class="list" ref=${box} onKeyDown=${move}>
      ${groups.map(([each, members]) => html`<${Group} key=${each} kind=${each} rows=${members} name=${name}
        stop=${stop} />`)}
      ${!rows.length && scenarios.length > 0 && html`<p class="empty">No scenario has all these words.</p>`}
    </div>
  </nav>`;
}

/** @param {{kind: string, rows: Row[], name: string | undefined, stop: string | undefined}} props */
function Group({ kind, rows, name, stop }) {
  const items = rows.map(
    (row) => html`<${Item} key=${row.name} row=${row} here=${row.name === name} stop=${row.name === stop} />`,
  );
  return html`<section aria-labelledby=${`kind-${kind}`}>
    <h2 id=${`kind-${kind}`}>${kind} <span class="faint">${rows.length}</span></h2>
    <ul>${items}</ul>
  </section>`;
}

/** @param {{row: Row, here: boolean, stop: boolean}} props */
function Item({ row, here, stop }) {
  const to = format(["scenarios", row.name]);
  return html`<li><a href=${to} tabindex=${stop ? 0 : -1} aria-current=${here ? "page" : null}>
    <b>${row.name}</b>${" "}<span>${row.about}</span>
  </a></li>`;
}

/** From link to link. @param {KeyboardEvent} event @param {HTMLElement | null} box @param {number} by */
function step(event, box, by) {
  if (!by || !box) return;
  const links = [...box.querySelectorAll("a")];
  const place = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
  const to = links[place < 0 ? 0 : place + by];
  event.preventDefault();
  if (to) to.focus();
  else if (by < 0) /** @type {HTMLElement | null} */ (document.querySelector("[data-search]"))?.focus();
}
