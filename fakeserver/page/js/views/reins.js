// @ts-check
/** What can be done to one stream in flight: let it go on, hold it, or end it. */

import { api } from "../api.js";
import { tell } from "../parts/bits.js";
import { ENDS, ReleaseButtons } from "../parts/release.js";
import { html } from "../ui.js";

/** @param {{number: number, session: string, gate: string | null, held: boolean}} props */
export function Reins({ number, session, gate, held }) {
  const act = (/** @type {"end" | "hold" | "step"} */ what, /** @type {object} */ body) =>
    void api.act(number, what, body).catch(tell);
  const release = (/** @type {object | undefined} */ body) => void api.release(session, gate ?? "", body).catch(tell);
  const step = (/** @type {number} */ events) => (events ? act("step", { events }) : act("hold", { on: false }));
  const waits = gate === "*" ? "Held before its next event." : `Waiting at gate ${gate}.`;
  const stands = gate ? waits : "In flight.";
  const hold = () => act("hold", { on: !held });
  return html`<section class="reins" aria-label="This stream">
    <p role="status"><b>${stands}</b></p>
    ${
      gate &&
      html`<${ReleaseButtons} gate=${gate} release=${release}
      step=${step} ends=${false} />`
    }
    <div class="buttons" role="group" aria-label="Hold or end this stream">
      ${
        gate !== "*" &&
        html`<button type="button" aria-pressed=${held ? "true" : "false"}
        title="Stop before its next event" onClick=${hold}>${held ? "Held" : "Hold"}</button>`
      }
      <span class="faint">end it:</span>
      ${ENDS.map(
        ([name, body, about]) => html`<button type="button" key=${name} title=${about}
        onClick=${() => act("end", body)}>${name}</button>`,
      )}
    </div>
  </section>`;
}
