// @ts-check
/**
 * What stands around every view: the places to go to, the server's state, what was just told, and the token's prompt.
 */

import { setToken } from "../api.js";
import { IN_FLIGHT } from "../lib/rows.js";
import { change, useStore } from "../store.js";
import { html, useEffect, useRef, useState } from "../ui.js";
import { Copy } from "./bits.js";

const PLACES = [
  ["library", "Library"],
  ["journal", "Journal"],
  ["desk", "Desk"],
];

/** @param {{section: string}} props */
export function Top({ section }) {
  const link = useStore((state) => state.link);
  const version = useStore((state) => state.version);
  const rows = useStore((state) => state.rows);
  const flying = rows.reduce((sum, row) => sum + (row.ended === IN_FLIGHT ? 1 : 0), 0);
  const waiting = rows.reduce((sum, row) => sum + (row.gate ? 1 : 0), 0);
  const badge = {
    library: "",
    journal: rows.length ? String(rows.length) : "",
    desk: waiting ? `${waiting} waiting` : flying ? `${flying} in flight` : "",
  };
  return html`<header class="top">
    <a class="brand" href="#/library"><img src="/_fakeserver/page/icon.svg" alt="" width="18" height="18"
      />fakeserver <span class="faint">${version}</span></a>
    <nav aria-label="Views">${PLACES.map(
      ([id, name]) => html`<a href=${`#/${id}`}
      aria-current=${section === id ? "page" : null}>${name} <span
        class="badge">${badge[/** @type {"library"} */ (id)]}</span></a>`,
    )}</nav>
    <span class="base"><code>${location.origin}/v1</code> <${Copy} text=${`${location.origin}/v1`}
      label="the server's base URL" /></span>
    <span class=${`link ${link}`} role="status"><i aria-hidden="true">
      </i>${{ live: "live", connecting: "connecting", down: "not connected" }[link]}</span>
  </header>`;
}

export function Banner() {
  const link = useStore((state) => state.link);
  const why = useStore((state) => state.why);
  const problems = useStore((state) => state.problems);
  const locked = useStore((state) => state.locked);
  const down = link === "down" && !locked; // the prompt says the rest
  return html`<div role="alert">
    ${down && html`<p class="banner bad">${why} What is shown is from before; it is tried again and again.</p>`}
    ${!down && problems.length > 0 && html`<${Broken} problems=${problems} />`}
  </div>`;
}

/** @param {{problems: import("../types.js").Problem[]}} props */
function Broken({ problems: [first, ...more] }) {
  return html`<p class="banner warn">
    ${more.length ? "Files were" : "A file was"} not taken in, the library is as before:${" "}
    <code>${first.file}:${first.line}:${first.column}</code>${" "}
    ${first.message}${more.length > 0 && `, and ${more.length} more`}.${" "}
    <a href="#/library">All of it</a>
  </p>`;
}

/** What was just told, for some seconds. */
export function Notice() {
  const notice = useStore((state) => state.notice);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => change({ notice: "" }), 6000);
    return () => clearTimeout(timer);
  }, [notice]);
  return html`<div class="notice" role="status">${notice && html`<p>${notice}</p>`}</div>`;
}

/** @param {{again: () => void}} props */
export function TokenPrompt({ again }) {
  const refused = useStore((state) => state.refused);
  const [token, set] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.focus(), []);
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    setToken(token.trim());
    again();
  };
  return html`<form class="welcome" onSubmit=${take}>
    <h1>A token is needed</h1>
    <p>
      The control API of this server asks for a token: the one that <code>fakeserver serve</code> was given, or, where
      it was given none, the one that it printed as it started. It is kept until this tab is closed.
    </p>
    ${refused && html`<p class="bad" role="alert">The server refused that token.</p>`}
    <p><label>Token <input type="password" autocomplete="off" ref=${field} value=${token}
      onInput=${(/** @type {any} */ event) => set(event.target.value)} /></label> <button class="main"
        disabled=${!token.trim()}>Go on</button></p>
  </form>`;
}
