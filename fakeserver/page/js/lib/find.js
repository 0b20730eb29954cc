// @ts-check
/** A search text -> the scenarios that have all its words in their name, what they are about, kind or tags. */

/** @import { Scenario } from "../types.js" */

/** @param {Scenario[]} scenarios @param {string} search @param {string} [kind] */
export function found(scenarios, search, kind = "") {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return scenarios.filter(
    (each) => (!kind || each.kind === kind) && words.every((word) => textOf(each).includes(word)),
  );
}

/** @type {WeakMap<Scenario, string>} */
const texts = new WeakMap();

/** @param {Scenario} scenario */
function textOf(scenario) {
  let text = texts.get(scenario);
  if (text === undefined) {
    text = [scenario.name, scenario.kind, scenario.about ?? "", ...scenario.tags].join(" ").toLowerCase();
    texts.set(scenario, text);
  }
  return text;
}

/**
 * In the order of their first.
 * @template T
 * @param {T[]} rows
 * @param {(row: T) => string} key
 * @returns {[string, T[]][]}
 */
export function grouped(rows, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return [...groups];
}
