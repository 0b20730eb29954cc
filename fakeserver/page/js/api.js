// @ts-check
/** The control API, over fetch. The token, where one is needed, is kept for this tab alone. */

import { change } from "./store.js";

/** @import { Named, RequestRecord, Row, Session, Whole } from "./types.js" */

const ROOT = "/_fakeserver";
const KEY = "fakeserver-token";

export class Refused extends Error {
  /** @param {number} status 0: nobody answered @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** `#token=...` is taken out of the address, so that it is in no bookmark. */
export function takeToken() {
  const given = /^#token=([^&]+)/.exec(location.hash);
  if (!given) return;
  setToken(decodeURIComponent(given[1]));
  history.replaceState(null, "", location.pathname + location.search + "#/library");
}

/** @param {string} token */
export function setToken(token) {
  sessionStorage.setItem(KEY, token);
  change({ locked: false, refused: false, link: "connecting" });
}

/** @returns {Record<string, string>} */
export function authorization() {
  const token = sessionStorage.getItem(KEY);
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** @param {string} path @param {RequestInit} [init] */
export async function ask(path, init = {}) {
  let answer;
  const token = authorization();
  try {
    answer = await fetch(ROOT + path, { ...init, headers: { ...token, ...init.headers } });
  } catch (problem) {
    if (init.signal?.aborted) throw problem;
    throw new Refused(0, "down", "The server does not answer.");
  }
  if (!answer.ok) throw await refusal(answer, token.authorization);
  return answer;
}

/** @param {Response} answer @param {string | undefined} sent */
async function refusal(answer, sent) {
  const said = await answer.json().catch(() => ({}));
  const code = said.error?.code ?? "";
  if (answer.status === 401 || (answer.status === 403 && code === "token")) lock(sent);
  return new Refused(answer.status, code, said.error?.message ?? `The server answers ${answer.status}.`);
}

/** What was sent is of no use, and is forgotten, unless another was given since. @param {string | undefined} sent */
function lock(sent) {
  if (sent !== authorization().authorization) return;
  sessionStorage.removeItem(KEY);
  change(sent ? { locked: true, refused: true } : { locked: true });
}

/** @param {string} method @param {string} path @param {unknown} [body] */
async function send(method, path, body) {
  const said =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  return (await ask(path, { method, ...said })).json();
}

/** @param {string} path @param {AbortSignal} [signal] */
const get = async (path, signal) => (await ask(path, { signal })).json();
const name = encodeURIComponent;

export const api = {
  health: () => get("/health"),
  scenarios: () => get("/scenarios"),
  /** @returns {Promise<{overlays: Named[]}>} */
  overlays: () => get("/overlays"),
  /** @returns {Promise<{dialects: Named[]}>} */
  dialects: () => get("/dialects"),
  /**
   * @param {string} scenario
   * @param {Record<string, string>} query
   * @param {AbortSignal} [signal]
   * @returns {Promise<Whole>}
   */
  scenario: (scenario, query, signal) => get(`/scenarios/${name(scenario)}?${new URLSearchParams(query)}`, signal),
  /** @param {Record<string, string>} query @returns {Promise<{records: Row[], dropped: number, more: boolean}>} */
  journal: (query) => get(`/journal?${new URLSearchParams(query)}`),
  /** @param {number} number @param {AbortSignal} [signal] @returns {Promise<RequestRecord>} */
  request: (number, signal) => get(`/requests/${number}`, signal),
  /** @returns {Promise<{sessions: Session[]}>} */
  sessions: () => get("/sessions"),
  /** @param {number} number @param {"end" | "hold" | "step"} what @param {object} body */
  act: (number, what, body) => send("POST", `/requests/${number}/${what}`, body),
  /** @param {string} session @param {string} gate @param {object} [body] */
  release: (session, gate, body) => send("POST", `/sessions/${name(session)}/gates/${name(gate)}/release`, body ?? {}),
  /** @param {string} session @param {string} what @param {object} body */
  put: (session, what, body) => send("PUT", `/sessions/${name(session)}/${what}`, body),
  /** @param {string} session @param {string} what @param {object} [body] */
  post: (session, what, body) => send("POST", `/sessions/${name(session)}/${what}`, body ?? {}),
  /** @param {string} session @returns {Promise<{ok: boolean, findings: import("./types.js").Finding[]}>} */
  verdict: (session) => send("POST", `/sessions/${name(session)}/verdict`, {}),
};

/** Words for people. @param {unknown} problem */
export function words(problem) {
  return problem instanceof Error ? problem.message : String(problem);
}
