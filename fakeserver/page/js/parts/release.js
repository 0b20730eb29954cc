// @ts-check
/** The buttons of a stream that waits at a gate: let it go on, by steps where it is held, or into another end. */

import { html } from "../ui.js";

/** @type {[string, object, string][]} */
export const ENDS = [
  ["Reset", { end: "reset" }, "RST, once every byte has been read"],
  ["Close", { end: "close" }, "FIN, with nothing more said"],
  ["End", { end: "end" }, "A clean end of the body"],
  ["Error", { end: { error: "server-error" } }, "An error event, and a clean end"],
];

/**
 * `step` goes on by so many events where a stream is held before each; 0: to its end.
 * @param {{gate: string, release: (body?: object) => void, step: (events: number) => void, ends?: boolean}} props
 */
export function ReleaseButtons({ gate, release, step, ends = true }) {
  return html`<div class="buttons" role="group" aria-label=${gate === "*" ? "Held before an event" : `Gate ${gate}`}>
    ${
      gate === "*"
        ? html`<button type="button" class="main" onClick=${() => step(1)}>Step</button><button type="button"
          onClick=${() => step(10)}>Step 10</button><button type="button"
            onClick=${() => step(0)}>Go on</button>`
        : html`<button type="button" class="main" onClick=${() => release()}>Release ${gate}</button>`
    }
    ${
      ends &&
      html`<span class="faint">or end it:</span>${ENDS.map(
        ([name, body, about]) => html`<button type="button"
      key=${name} title=${about} onClick=${() => release(body)}>${name}</button>`,
      )}`
    }
  </div>`;
}
