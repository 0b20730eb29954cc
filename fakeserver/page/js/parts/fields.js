// @ts-check
/** Fields of forms, each with its label; what is chosen or typed goes to `set` as a plain value. */

import { html } from "../ui.js";

/** @template T @typedef {{value: T, set: (value: T) => void}} Bound */

/**
 * The field to which the key / goes.
 * @param {Bound<string> & {label: string, hint: string, onKeyDown?: (event: KeyboardEvent) => void}} props
 */
export function Search({ value, set, label, hint, onKeyDown }) {
  return html`<input type="search" data-search="" placeholder=${hint} aria-label=${label} value=${value}
    onInput=${typed(set)} onKeyDown=${onKeyDown} />`;
}

/**
 * Choices are pairs of a value and its words.
 * @param {Bound<string> & {label: string, choices: [string, string][], hidden?: boolean}} props
 */
export function Choose({ value, set, label, choices, hidden = false }) {
  const options = choices.map(([each, words]) => html`<option key=${each} value=${each}>${words}</option>`);
  const name = hidden ? label : null;
  const select = html`<select aria-label=${name} value=${value} onChange=${typed(set)}>${options}</select>`;
  return hidden ? select : html`<label>${label} ${select}</label>`;
}

/** @param {Bound<string> & {label: string, kind?: string}} props */
export function Typed({ value, set, label, kind = "" }) {
  const field = html`<input type="text" autocomplete="off" value=${value} onInput=${typed(set)} />`;
  return html`<label class=${kind}>${label} ${field}</label>`;
}

/** @param {Bound<boolean> & {label: string, about?: string}} props */
export function Check({ value, set, label, about }) {
  const onChange = (/** @type {any} */ event) => set(event.target.checked);
  const box = html`<input type="checkbox" checked=${value} onChange=${onChange} />`;
  return html`<label class="check" title=${about}>${box}${label}</label>`;
}

/** Fields that filter as they change, with nothing to send. @param {{children?: any}} props */
export function Filters({ children }) {
  const stay = (/** @type {Event} */ event) => event.preventDefault();
  return html`<form class="filters" role="search" onSubmit=${stay}>${children}</form>`;
}

/** @param {(value: string) => void} set */
function typed(set) {
  return (/** @type {any} */ event) => set(event.target.value);
}
