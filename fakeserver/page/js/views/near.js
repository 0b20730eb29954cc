// @ts-check
/** Why nothing answered: the nearest rules, and for each of them all that keeps it from answering. */

import { counted } from "../lib/format.js";
import { format } from "../lib/route.js";
import { html } from "../ui.js";

/** @param {{unmatched: import("../types.js").Unmatched}} props */
export function NearMisses({ unmatched }) {
  const [first] = unmatched.message.split("\n");
  return html`<section class="near" aria-labelledby="near-name">
    <h2 id="near-name">Nothing answers this request</h2>
    <p>${first}</p>
    ${unmatched.nearest.map((near) => html`<${Near} key=${near.scenario} near=${near} />`)}
  </section>`;
}

/** @param {{near: import("../types.js").Near}} props */
function Near({ near }) {
  const { scenario, file, line, conditions, differences } = near;
  const failed = differences.length;
  const share = `${failed} of ${counted(conditions, "condition")} ${failed === 1 ? "fails" : "fail"}`;
  return html`<table class="plain">
    <caption>
      <a href=${format(["scenarios", scenario])}>${scenario}</a>${" "}
      <span class="faint">${file}:${line} · ${share}</span>
    </caption>
    <thead><tr><th scope="col">Where</th><th scope="col">Wanted</th><th scope="col">Got</th></tr></thead>
    <tbody>${differences.map((each) => html`<${Row} key=${each.field} row=${each} />`)}</tbody>
  </table>`;
}

/** @param {{row: import("../types.js").Difference}} props */
function Row({ row }) {
  const got = row.missing
    ? html`<span class="faint">nothing there</span>`
    : html`<code class="got">${shown(row.got)}</code>`;
  return html`<tr title=${row.said}>
    <th scope="row"><code>${row.field}</code></th>
    <td><code class="wanted">${shown(row.wanted)}</code></td>
    <td>${got}${noteOf(row.said)}</td>
  </tr>`;
}

/** @param {any} value */
function shown(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The hint at the end of what is said, if there is one: "(did you mean ...)". @param {string} said */
function noteOf(said) {
  const note = / \(([^()]+)\)$/.exec(said);
  return note && html` <span class="warn">${note[1]}</span>`;
}
