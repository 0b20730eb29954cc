// @ts-check
/** The address after # <-> what is shown: a path of parts and a few parameters. It must not know the views. */

/** @typedef {{parts: string[], query: Record<string, string>}} Route */

/** @param {string} hash @returns {Route} */
export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return {
    parts: path.split("/").filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Empty parameters are left out. @param {string[]} parts @param {Record<string, string | number | undefined>} query */
export function format(parts, query = {}) {
  const kept = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const words = kept.map(([name, value]) => `${name}=${encoded(String(value))}`).join("&");
  return `#/${parts.map(encoded).join("/")}${words && "?" + words}`;
}

/** Commas, plus signs and colons are plain here, and are easier to read. @param {string} text */
function encoded(text) {
  return encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":");
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
