// @ts-check
/** What an address names and the library does not have -> words for it, and links to what there is in its place. */

import { Refused, words } from "../api.js";
import { format } from "../lib/route.js";
import { useStore } from "../store.js";
import { html } from "../ui.js";

/** @typedef {{name: string, query: Record<string, string>, problem: unknown}} Asked */

/** @param {Asked} asked */
export function Missing(asked) {
  const { name, problem } = asked;
  const known = useStore((state) => state.scenarios).some((each) => each.name === name);
  const code = problem instanceof Refused ? problem.code : "";
  if (code === "unknown-dialect") return html`<${Dialects} ...${asked} />`;
  if (code !== "unknown-scenario") return html`<${Said} text=${words(problem)} />`;
  if (known) return html`<${Overlays} ...${asked} />`;
  return html`<${Said} text=${near(problem, `There is no scenario ${name}.`)} />
    <p><a href="#/library">All scenarios</a></p>`;
}

/** @param {Asked} asked */
function Dialects({ name, query, problem }) {
  const known = useStore((state) => state.dialects);
  const links = known.map((each) => [each.name, { ...query, dialect: each.name }]);
  return html`<${Said} text=${near(problem, `There is no dialect ${query.dialect}.`)} />
    <${Links} label="Dialects" name=${name} links=${[["its own", { ...query, dialect: "" }], ...links]} />`;
}

/** The right ones stay. @param {Asked} asked */
function Overlays({ name, query, problem }) {
  const known = useStore((state) => state.overlays).map((each) => each.name);
  const chosen = (query.overlays ?? "").split(",").filter((each) => known.includes(each));
  const to = (/** @type {string[]} */ overlays) => ({ ...query, overlays: overlays.join(",") });
  const links = known.filter((each) => !chosen.includes(each)).map((each) => [`+${each}`, to([...chosen, each])]);
  return html`<${Said} text=${near(problem, `There is no overlay like that in ${query.overlays}.`)} />
    <${Links} label="Overlays" name=${name} links=${[["without it", to(chosen)], ...links]} />`;
}

/** What the server says, where it knows what was meant; else its advice is for a terminal. @param {unknown} problem
 * @param {string} plain */
function near(problem, plain) {
  const said = words(problem);
  return said.includes("did you mean") ? said : plain;
}

/** @param {{text: string}} props */
function Said({ text }) {
  return html`<p class="bad" role="alert">${text}</p>`;
}

/** @param {{label: string, name: string, links: [string, Record<string, string>][]}} props */
function Links({ label, name, links }) {
  return html`<ul class="chips instead" aria-label=${`${label} that there are`}>${links.map(
    ([text, query]) => html`<li key=${text}><a href=${format(["scenarios", name], query)}>${text}</a></li>`,
  )}</ul>`;
}
