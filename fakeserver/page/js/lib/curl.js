// @ts-check
/** A request -> a line for a shell that sends the same. */

/** @param {string} url @param {Record<string, string>} headers @param {string} body */
export function curlLine(url, headers, body) {
  const said = Object.entries(headers).map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`);
  return `curl -N ${quoted(url)}${said.join("")} -d ${quoted(body)}`;
}

/** For a POSIX shell. @param {string} text */
export function quoted(text) {
  return /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
