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
  const failed = near.differences.length;
  return html`<table class="plain">
    <caption><a href=${format(["scenarios", near.scenario])}>${near.scenario}</a> <span
      class="faint">${near.file}:${near.line} · ${failed} of ${counted(near.conditions, "condition")} ${failed === 1 ? "fails" : "fail"}</span></caption>
    <thead><tr><th scope="col">Where</th><th scope="col">Wanted</th><th scope="col">Got</th></tr></thead>
    <tbody>${near.differences.map(
      (each) => html`<tr title=${each.said}><th scope="row"><code>${each.field}</code></th>
      <td><code class="wanted">${shown(each.wanted)}</code></td><td>${each.missing ? html`<span
        class="faint">nothing there</span>` : html`<code
          class="got">${shown(each.got)}</code>`}${noteOf(each.said)}</td></tr>`,
    )}</tbody>
  </table>`;
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
