// @ts-check
/** What arrived in this browser: each read as it came, and each event as it became whole. */

import { size, span } from "../lib/format.js";
import { says } from "../lib/says.js";
import { Bytes, Line } from "../parts/bytes.js";
import { VTable } from "../parts/vtable.js";
import { html, useState } from "../ui.js";

/** @import { Play } from "../play.js" */

const ENCODER = new TextEncoder();

const READ = [
  { name: "#", kind: "number" },
  { name: "At", kind: "number" },
  { name: "Size", kind: "number" },
  { name: "Bytes", kind: "wide" },
];
const EVENT = [
  { name: "#", kind: "number" },
  { name: "At", kind: "number" },
  { name: "Says", kind: "what" },
  { name: "Data", kind: "wide" },
];

/** @param {{play: Play}} props */
export function Reads({ play }) {
  return html`<${Rows} label="Reads" columns=${READ} count=${play.taken.reads.length} of=${(
    /** @type {number} */ index,
  ) => {
    const { at, data } = play.taken.reads[index];
    return { data, middle: [span(at * 1e6), size(data.length)], title: `Read ${index + 1}` };
  }} />`;
}

/** @param {{play: Play}} props */
export function Events({ play }) {
  return html`<${Rows} label="Events" columns=${EVENT} count=${play.taken.events.length} of=${(
    /** @type {number} */ index,
  ) => {
    const { at, event } = play.taken.events[index];
    const name = event.comment === null ? event.event : "comment";
    const said = event.comment === null ? says(ENCODER.encode(`data: ${event.data}`)) : "";
    return {
      data: ENCODER.encode(event.comment ?? event.data),
      middle: [span(at * 1e6), html`${name && `${name} `}<span class="says">${said}</span>`],
      title: `Event ${index + 1} ${name}`,
    };
  }} />`;
}

/** @param {{label: string, columns: {name: string, kind: string}[], count: number,
 *   of: (index: number) => {data: Uint8Array, middle: any[], title: string}}} props */
function Rows({ label, columns, count, of }) {
  const [open, setOpen] = useState(/** @type {number | null} */ (null));
  const row = (/** @type {number} */ index, /** @type {object} */ handle) => {
    const { data, middle } = of(index);
    const toggle = () => setOpen(open === index ? null : index);
    const button = html`<button type="button" class="handle" ...${handle}
      aria-expanded=${open === index ? "true" : "false"} onClick=${toggle}>${index + 1}</button>`;
    return {
      key: index,
      cells: [button, ...middle, html`<${Line} data=${data} />`],
      selected: open === index,
      kind: open === index ? "open" : "",
    };
  };
  const chosen = open !== null && open < count ? of(open) : null;
  return html`<${VTable} label=${label} columns=${columns} count=${count} row=${row} kind="arrived"
      placeOf=${(/** @type {number} */ key) => (key < count ? key : -1)}
        keyAt=${(/** @type {number} */ index) => index} />
    ${
      chosen &&
      html`<${Bytes} key=${open} data=${chosen.data} title=${chosen.title} onClose=${() => setOpen(null)}
      />`
    }`;
}
