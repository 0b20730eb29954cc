// @ts-check
/** The small things that all views are made of. */

import { words } from "../api.js";
import { change } from "../store.js";
import { html, useEffect, useRef, useState } from "../ui.js";

/**
 * A button that puts a text on the clipboard, and says that it did.
 * @param {{text: string | (() => string), label: string, name?: string}} props
 */
export function Copy({ text, label, name = "Copy" }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const done = await put(typeof text === "function" ? text() : text);
    setSaid(done ? "Copied" : "Not allowed");
    setTimeout(() => setSaid(""), 1500);
  };
  return html`<button type="button" class="quiet" onClick=${copy} title=${label}><span
    aria-hidden="true">${said || name}</span><span class="unseen">Copy ${label}</span></button><span
    class="unseen" role="status">${said && `${said}: ${label}`}</span>`;
}

/** Pages without TLS on another host have no clipboard of the new kind. @param {string} text */
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** @param {{status: number | null}} props */
export function Status({ status }) {
  if (status === null) return html`<span class="faint">none</span>`;
  return html`<span class=${`status ${status < 300 ? "good" : status < 500 ? "warn" : "bad"}`}>${status}</span>`;
}

/**
 * How an answer ended, as a word with a mark: the mark's shape says it too, not the colour alone.
 * @param {{ended: string, unmatched?: boolean, words?: string}} props
 */
export function Ended({ ended, words = ended }) {
  const [kind, mark] = MARKS[ended] ?? ["warn", "◆"];
  return html`<span class=${`ended ${kind}`}><span class="mark" aria-hidden="true">${mark}</span>${words}</span>`;
}

/** @type {Record<string, [string, string]>} */
const MARKS = {
  "in flight": ["live", "▸"],
  complete: ["good", "●"],
  ended: ["warn", "◆"],
  gone: ["warn", "◌"],
  stopped: ["faint", "■"],
  broken: ["bad", "✕"],
};

/** @param {{problems: import("../types.js").Problem[], title: string}} props */
export function Problems({ problems, title }) {
  if (!problems.length) return null;
  const rows = problems.map(
    ({ file, line, column, code, message, remedy }) => html`<li>
    <code>${file}:${line}:${column}</code> <b>${code}</b> ${message}
    ${remedy && html`<br /><span class="faint">${remedy}</span>`}
  </li>`,
  );
  return html`<section class="problems" aria-label=${title}><h2>${title}</h2><ul>${rows}</ul></section>`;
}

/**
 * Tabs by the book: one stop for the Tab key, arrows between them.
 * @param {{label: string, tabs: {id: string, name: any, body: () => any}[], value: string, onChange: (id: string) =>
 *   void}} props
 */
export function Tabs({ label, tabs, value, onChange }) {
  const list = useRef(/** @type {HTMLDivElement | null} */ (null));
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === value),
  );
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onChange(tabs[(to + tabs.length) % tabs.length].id);
    requestAnimationFrame(() =>
      /** @type {HTMLElement | null} */ (list.current?.querySelector('[aria-selected="true"]'))?.focus(),
    );
  };
  return html`<div class="tabs">
    <div role="tablist" aria-label=${label} ref=${list} onKeyDown=${onKeyDown}>${tabs.map(
      (tab, index) => html`
      <button type="button" role="tab" id=${`tab-${tab.id}`} aria-selected=${index === at ? "true" : "false"}
        aria-controls="tab-panel"
        tabindex=${index === at ? 0 : -1} onClick=${() => onChange(tab.id)}>${tab.name}</button>`,
    )}</div>
    <div role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${tabs[at].id}`} tabindex="0">${tabs[at].body()}</div>
  </div>`;
}

/**
 * Calls again and again while it is shown.
 * @param {() => void} call
 * @param {number} every milliseconds
 * @param {any[]} needs
 */
export function useEvery(call, every, needs) {
  useEffect(() => {
    const timer = setInterval(call, every);
    return () => clearInterval(timer);
  }, needs);
}

/** Puts what went wrong where it is seen. @param {unknown} problem */
export function tell(problem) {
  change({ notice: words(problem) });
}
