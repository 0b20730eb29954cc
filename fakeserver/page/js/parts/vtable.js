// @ts-check
/** A table of any length, of which only the rows in sight are in the document. Arrow keys go from row to row. */

import { revealing, windowOf } from "../lib/vlist.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../ui.js";

const HEADER = 26;

/**
 * @typedef {{name: string, about?: string, kind?: string}} Column
 * @typedef {{key: string | number, cells: any[], kind?: string, selected?: boolean}} Drawn
 *
 * `row` draws one; the cell that takes the focus has `tabIndex` and `data-handle` as they are given to it. `placeOf`
 * says where a key is now, or -1. `steady`: rows that come in above leave those in sight where they are.
 * @param {{label: string, columns: Column[], count: number, height?: number, kind?: string, steady?: boolean,
 *   row: (index: number, handle: object) => Drawn, placeOf: (key: any) => number, keyAt: (index: number) => any,
 *   reveal?: any}} props
 */
export function VTable({ label, columns, count, height = 26, kind = "", steady = false, row, placeOf, keyAt, reveal }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [top, setTop] = useState(0);
  const seen = useHeight(box);
  const [current, setCurrent] = useState(/** @type {any} */ (null));
  const [focus, setFocus] = useState(0); // goes up when the current row is to be focused
  const { first, last, before, after } = windowOf(top, seen, height, count);
  const place = Math.max(0, current === null ? 0 : placeOf(current));

  const show = (/** @type {number} */ index) => {
    if (!box.current) return;
    box.current.scrollTop = revealing(box.current.scrollTop, box.current.clientHeight, height, index, HEADER);
    setTop(box.current.scrollTop);
  };
  useSteady(box, steady, count ? keyAt(0) : null, placeOf, height);
  useEffect(() => {
    const index = reveal === undefined || reveal === null ? -1 : placeOf(reveal);
    if (index >= 0) show(index);
    if (index >= 0) setCurrent(reveal);
  }, [reveal]);
  useEffect(() => {
    if (focus)
      /** @type {HTMLElement | null} */ (box.current?.querySelector('[data-handle][tabindex="0"]'))?.focus({
        preventScroll: true,
      });
  }, [focus]);

  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const to = target.closest("[data-handle]") ? stepped(event, place, count, Math.floor(seen / height) - 2) : -1;
    if (to < 0) return;
    event.preventDefault();
    show(to);
    setCurrent(keyAt(to));
    setFocus((count) => count + 1);
  };
  const onFocusIn = (/** @type {FocusEvent} */ event) => {
    const key = /** @type {HTMLElement} */ (event.target).closest("tr")?.dataset.key;
    if (key !== undefined) setCurrent(Number.isNaN(Number(key)) ? key : Number(key));
  };

  const rows = [];
  for (let index = first; index < last; index++) {
    const drawn = row(index, {
      "data-handle": "",
      tabIndex: index === place || (index === first && (place < first || place >= last)) ? 0 : -1,
    });
    rows.push(html`<tr key=${drawn.key} data-key=${drawn.key} class=${drawn.kind} aria-rowindex=${index + 2}
      aria-current=${drawn.selected ? "true" : null}
      onClick=${through}>${drawn.cells.map((cell, at) => html`<td class=${columns[at].kind}>${cell}</td>`)}</tr>`);
  }
  return html`
    <div class=${`rows ${kind}`} ref=${box} onScroll=${() => setTop(box.current?.scrollTop ?? 0)}
      onKeyDown=${onKeyDown} onFocusIn=${onFocusIn}>
      <table aria-label=${label} aria-rowcount=${count + 1}>
        <thead><tr aria-rowindex="1">${columns.map(
          (column) => html`<th scope="col" class=${column.kind}
          title=${column.about}>${column.name}</th>`,
        )}</tr></thead>
        <tbody>${gap(before)}${rows}${gap(after)}</tbody>
      </table>
    </div>`;
}

/**
 * A click anywhere in a row is one on what takes the focus there, unless text is being marked.
 * @param {MouseEvent} event
 */
function through(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("a, button, input") || getSelection()?.type === "Range") return;
  /** @type {HTMLElement | null | undefined} */ (target.closest("tr")?.querySelector("[data-handle]"))?.click();
}

/** Its cell spans nothing: a span over columns that a narrow window hides would make new ones. @param {number} size */
function gap(size) {
  return size > 0 && html`<tr class="gap" aria-hidden="true"><td style=${{ height: `${size}px` }}></td></tr>`;
}

/**
 * Where a key leads to, or -1.
 * @param {KeyboardEvent} event
 * @param {number} place
 * @param {number} count
 * @param {number} page
 */
function stepped(event, place, count, page) {
  if (event.altKey || event.ctrlKey || event.metaKey) return -1;
  const to = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + page,
    PageUp: place - page,
    Home: 0,
    End: count - 1,
  }[event.key];
  return to === undefined ? -1 : Math.max(0, Math.min(count - 1, to));
}

/** @param {{current: HTMLDivElement | null}} box */
function useHeight(box) {
  const [seen, setSeen] = useState(600);
  useLayoutEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(() => setSeen(box.current?.clientHeight || 600));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return seen;
}

/**
 * @param {{current: HTMLDivElement | null}} box
 * @param {boolean} steady
 * @param {any} newest
 * @param {(key: any) => number} placeOf
 * @param {number} height
 */
function useSteady(box, steady, newest, placeOf, height) {
  const before = useRef(newest);
  useLayoutEffect(() => {
    const added = steady && before.current !== null ? placeOf(before.current) : 0;
    const held = box.current && (box.current.scrollTop > 0 || box.current.contains(document.activeElement));
    if (added > 0 && held && box.current) box.current.scrollTop += added * height;
    before.current = newest;
  }, [newest]);
}
