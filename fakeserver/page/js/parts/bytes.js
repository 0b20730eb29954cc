// @ts-check
/** Bytes on the page, exactly: as text with all that hides made visible, or as hex. */

import { hexRows, pieces } from "../lib/bytes.js";
import { json, yaml } from "../lib/highlight.js";
import { html, useState } from "../ui.js";
import { size } from "../lib/format.js";
import { Copy } from "./bits.js";

const SHOWN = 64 * 1024; // bytes at once

/** One line of them, so far as it is of use. @param {{data: Uint8Array}} props */
export function Line({ data }) {
  return html`<code class="bytes line">${pieces(data, 240).map(piece)}${data.length > 240 && "…"}</code>`;
}

/** All of them, lines as lines. @param {{data: Uint8Array}} props */
function Text({ data }) {
  return html`<pre class="bytes" tabindex="0" aria-label="The bytes as text">${pieces(data, SHOWN)
    .map(piece)
    .map((part) => part)}</pre>`;
}

/** @param {import("../lib/bytes.js").Piece} part */
function piece({ kind, text }) {
  if (kind === "text") return text;
  // A line end is shown, and ends the line.
  if (kind === "control")
    return text
      .split(/(?<=\\n)/)
      .map(
        (each) =>
          html`<span class="control">${each}</span>${each.endsWith("\\n") && html`<span class="break">${"\n"}</span>`}`,
      );
  return html`<span class=${kind}>${text}</span>`;
}

/** @param {{data: Uint8Array}} props */
function Hex({ data }) {
  return html`<div class="hexes" tabindex="0" role="group" aria-label="The bytes as hex"><table class="hex"><thead
    class="unseen"><tr><th scope="col">at</th><th scope="col">bytes</th><th scope="col">text</th></tr></thead>
    <tbody>${hexRows(data, SHOWN / 4).map(
      (row) => html`<tr><th scope="row">${row.at}</th><td>${row.hex}</td>
      <td>${row.text}</td></tr>`,
    )}</tbody></table></div>`;
}

/** With a switch between both. @param {{data: Uint8Array, title: any, onClose?: () => void}} props */
export function Bytes({ data, title, onClose }) {
  const [hex, setHex] = useState(false);
  const most = hex ? SHOWN / 4 : SHOWN;
  return html`<section class="closeup" aria-label="The bytes of one write">
    <header><h3>${title}</h3>
      <span class="switch" role="group" aria-label="Show the bytes as">
        <button type="button" aria-pressed=${hex ? "false" : "true"} onClick=${() => setHex(false)}>text</button
        ><button type="button" aria-pressed=${hex ? "true" : "false"} onClick=${() => setHex(true)}>hex</button></span>
      <${Copy} text=${() =>
        hex
          ? hexRows(data)
              .map((row) => row.hex)
              .join("\n")
          : new TextDecoder().decode(data)} label=${hex ? "these bytes as hex" : "these bytes as text"} />
      ${
        onClose &&
        html`<button type="button" class="quiet" data-close="" aria-label="Close the bytes"
        onClick=${onClose}>✕</button>`
      }
    </header>
    ${hex ? html`<${Hex} data=${data} />` : html`<${Text} data=${data} />`}
    ${data.length > most && html`<p class="faint">The first ${size(most)} of ${size(data.length)}.</p>`}
  </section>`;
}

/** @param {{text: string, language: "json" | "yaml" | "", label: string}} props */
export function Code({ text, language, label }) {
  const runs = !language || text.length > 200_000 ? [{ kind: "", text }] : (language === "json" ? json : yaml)(text);
  return html`<pre class="code" tabindex="0" aria-label=${label}>${runs.map((run) =>
    run.kind
      ? html`<span
    class=${`c-${run.kind}`}>${run.text}</span>`
      : run.text,
  )}</pre>`;
}
