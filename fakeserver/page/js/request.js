// @ts-check
/** How a scenario is to be asked for -> the request that does it: what is sent from here, and what can be copied. */

import { controlLine, curlLine } from "./lib/curl.js";

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

/**
 * What a session is told before it is asked: the part of its address, and the body to put there.
 * @param {Options} options @returns {[string, object][]}
 */
export function settingsOf({ speed, dialect }) {
  /** @type {[string, object][]} */
  const found = [];
  if (speed) found.push(["speed", { speed: speed === "instant" ? speed : Number(speed) }]);
  if (dialect) found.push(["dialect", { dialect }]);
  return found;
}

/** The session of what is copied; its name says what it is told. "": it is told nothing. @param {Options} options */
export function sessionOf({ speed, dialect, attempt }) {
  const said = [dialect, speed && `speed-${speed}`, attempt > 1 && `attempt-${attempt}`].filter(Boolean);
  return said.length ? `page-${said.join("-")}` : "";
}

/** All that a shell needs to get the same, however often. @param {Options} options @param {boolean} guarded */
export function linesOf(options, guarded) {
  const session = sessionOf(options);
  const { url, headers, body } = requestOf(options, session);
  const control = `${location.origin}/_fakeserver/sessions/${session}`;
  const settings = settingsOf(options).map(([what, said]) => controlLine("PUT", `${control}/${what}`, said, guarded));
  const before = Array.from({ length: options.attempt - 1 }, (_, index) => index + 1);
  const asked = curlLine(url, headers, body);
  if (!before.length) return [...settings, asked].join("\n");
  const reset = controlLine("POST", `${control}/reset`, {}, guarded);
  const left = curlLine(url, headers, body, "-s -m 1 -o /dev/null");
  return [reset, ...settings, `for each in ${before.join(" ")}; do ${left} || :; done`, asked].join("\n");
}
