// @ts-check
/** JSON or YAML text -> runs of it, each with what it is. Every character comes out once: colours change nothing. */

/** @typedef {{kind: string, text: string}} Run */

const JSON_RUN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;
const YAML_RUN = new RegExp(
  [
    /(?<=^|\s)(#.*$)/, // a comment
    /("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/, // a quoted text
    /(?<=^[ -]*|[{,]\s*)([\w$./-]+)(?=:(?:\s|$))/, // a key
    /(?<=[\s:[,])(-?\d[\d.]*(?:ms|us|s|m|B|KiB|MiB|%)?|true|false|null)(?=[\s,}\]]|$)/, // a number or a word
  ]
    .map((part) => part.source)
    .join("|"),
  "gm",
);

/** @param {string} text @returns {Run[]} */
export function json(text) {
  return runs(text, JSON_RUN, ([, string, colon, number, word]) =>
    string ? (colon ? "key" : "string") : number || word ? "literal" : "",
  );
}

/** @param {string} text @returns {Run[]} */
export function yaml(text) {
  return runs(text, YAML_RUN, ([, comment, string, key]) =>
    comment ? "comment" : string ? "string" : key ? "key" : "literal",
  );
}

/** @param {string} text @param {RegExp} pattern @param {(hit: RegExpMatchArray) => string} kindOf */
function runs(text, pattern, kindOf) {
  const found = [];
  let at = 0;
  for (const hit of text.matchAll(pattern)) {
    if (hit.index > at) found.push({ kind: "", text: text.slice(at, hit.index) });
    found.push({ kind: kindOf(hit), text: hit[0] });
    at = hit.index + hit[0].length;
  }
  if (at < text.length) found.push({ kind: "", text: text.slice(at) });
  return found;
}

/** Pretty where it is JSON, itself where it is not. @param {string} text */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
