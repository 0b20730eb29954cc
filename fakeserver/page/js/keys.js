// @ts-check
/** Keys that work everywhere: / goes to the search, Esc clears it or goes one step back. */

/** @param {KeyboardEvent} event */
export function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const types = target.matches("input:not([type=checkbox]), textarea, select");
  if (event.key === "/" && !types) {
    const search = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-search]"));
    search?.focus();
    search?.select();
    if (search) event.preventDefault();
  } else if (event.key === "Escape") escape(target);
}

/** @param {HTMLElement} target */
function escape(target) {
  const close = /** @type {HTMLElement | null} */ (document.querySelector("[data-close]"));
  if (target.matches("[data-search]")) target.blur();
  else if (close) close.click();
  else if (location.hash.startsWith("#/requests/")) location.hash = "#/journal";
  else if (location.hash.startsWith("#/scenarios/")) location.hash = "#/library";
}
