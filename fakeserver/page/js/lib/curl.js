// @ts-check
/** A request -> a line for a shell that sends the same. */

const JSON_TYPE = "content-type: application/json";

/** @param {string} url @param {Record<string, string>} headers @param {string} body @param {string} [how] */
export function curlLine(url, headers, body, how = "-N") {
  const said = Object.entries(headers).map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`);
  return `curl ${how} ${quoted(url)}${said.join("")} -d ${quoted(body)}`;
}

/**
 * One for the control API, silent unless it is refused. A token is not written down: the shell has it in a variable.
 * @param {string} method @param {string} url @param {object} body @param {boolean} guarded
 */
export function controlLine(method, url, body, guarded) {
  const token = guarded ? ' -H "authorization: Bearer $FAKESERVER_TOKEN"' : "";
  const said = `-H ${quoted(JSON_TYPE)}${token} -d ${quoted(JSON.stringify(body))}`;
  return `curl -fsS -o /dev/null -X ${method} ${quoted(url)} ${said}`;
}

/** For a POSIX shell. @param {string} text */
export function quoted(text) {
  return /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
