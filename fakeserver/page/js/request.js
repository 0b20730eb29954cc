// @ts-check
/** How a scenario is to be asked for -> the request that does it: what is sent from here, and what can be copied. */

/** @import { Options } from "./play.js" */

/** @param {Options} options @param {string} [session] */
export function requestOf(options, session) {
  const { selector, model, protocol, attempt, stream, usage, message, key } = options;
  const root = `${location.origin}${session ? `/session/${session}` : ""}/scenario/${selector}/v1`;
  const again = attempt > 1 && { "x-stainless-retry-count": String(attempt - 1) }; // for a scenario that goes by it
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }), ...again };
  if (protocol === "responses") {
    return { root, url: `${root}/responses`, headers, body: JSON.stringify({ model, stream, input: message }) };
  }
  const asked = stream && usage ? { stream_options: { include_usage: true } } : {};
  const body = JSON.stringify({ model, stream, ...asked, messages: [{ role: "user", content: message }] });
  return { root, url: `${root}/chat/completions`, headers, body };
}
