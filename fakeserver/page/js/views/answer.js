// @ts-check
/** The answer as a client would show it, as it grows. */

import { counted } from "../lib/format.js";
import { pretty } from "../lib/highlight.js";
import { Code } from "../parts/bytes.js";
import { html } from "../ui.js";

/** @param {{play: import("../play.js").Play}} props */
export function Answer({ play }) {
  const { choices, usage, error, broken, done } = play.taken.answer;
  const broke = play.taken.streams ? `${counted(broken, "event")} of it had no JSON.` : "Its body is no JSON.";
  const rows = [...choices].sort(([one], [other]) => one - other);
  return html`<div class="answer">
    ${
      error &&
      html`<div class="said bad"><h3>Error</h3><${Code}
      text=${typeof error === "string" ? error : JSON.stringify(error, null, 2)} language="json" label="The error" />
        </div>`
    }
    ${rows.map(
      ([index, choice]) => html`<${Choice} key=${index} choice=${choice}
      name=${rows.length > 1 ? `Choice ${index}` : ""} />`,
    )}
    ${
      usage &&
      html`<div class="said"><h3>Usage</h3><${Code} text=${JSON.stringify(usage, null, 2)} language="json"
      label="The usage" /></div>`
    }
    ${
      broken > 0 &&
      html`<p
      class="warn">${broke}</p>`
    }
    ${play.end && !rows.length && !error && html`<p class="empty">No part of an answer came.</p>`}
    ${play.end && rows.length > 0 && play.taken.streams && !done && html`<p class="warn">No [DONE] came.</p>`}
  </div>`;
}

/** @param {{choice: import("../lib/fold.js").Choice, name: string}} props */
function Choice({ choice, name }) {
  return html`<section class="choice" aria-label=${name || "The answer"}>
    ${name && html`<h3>${name}</h3>`}
    ${choice.reasoning && html`<div class="said reasoning"><h3>Reasoning</h3><p>${choice.reasoning}</p></div>`}
    ${
      (choice.content || choice.role) &&
      html`<div class="said content"><h3>${choice.role || "content"}</h3>
      <p>${choice.content}</p></div>`
    }
    ${choice.refusal && html`<div class="said refusal"><h3>Refusal</h3><p>${choice.refusal}</p></div>`}
    ${[...choice.calls].map(
      ([key, call]) => html`<div key=${key} class="said call"><h3>Tool call <code>${call.name || "?"}</code> <span
        class="faint">${call.id}</span></h3>
      <${Code} text=${pretty(call.arguments)} language="json" label=${`Arguments of ${call.name || "the call"}`} />
        </div>`,
    )}
    ${choice.finish && html`<p class="finish"><span class="faint">finish reason</span> <b>${choice.finish}</b></p>`}
  </section>`;
}
