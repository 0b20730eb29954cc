/**
 * One request to a model -> what it says, piece by piece, and how that ended. It must not know the page.
 *
 * Only a finish reason makes an answer whole: a stream that merely stops was cut off, however clean its end looks.
 */

import { EventSourceParserStream } from "eventsource-parser/stream";

const CUT = "The connection ended before the answer did.";

/**
 * Yields {text}, {refusal} and {call: {index, name, arguments}} as they come, then once {end, reason}, where end is
 * complete, truncated, failed or stopped. Raises nothing. `where` is a promise of {baseURL, model}.
 */
export async function* answer({ where, messages, signal }) {
  let response, finish;
  try {
    const { baseURL, model } = await where;
    response = await request(`${baseURL}/chat/completions`, { model, messages, stream: true }, signal);
    if (!response.ok) return yield { end: "failed", reason: await messageOf(response) };
    for await (const { error, choices } of chunks(response.body)) {
      if (error) return yield { end: "failed", reason: error.message ?? String(error) };
      yield* pieces(choices?.[0]?.delta ?? {});
      finish ||= choices?.[0]?.finish_reason;
    }
  } catch (problem) {
    if (signal.aborted) return yield { end: "stopped" };
    if (!response) return yield { end: "failed", reason: "The model cannot be reached." };
    if (problem instanceof SyntaxError) return yield { end: "failed", reason: "The answer cannot be read." };
  }
  yield finish ? { end: "complete", reason: finish } : { end: "truncated", reason: CUT };
}

function request(url, body, signal) {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
}

async function* chunks(body) {
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (let step = await events.read(); !step.done; step = await events.read()) {
      if (step.value.data === "[DONE]") return;
      yield JSON.parse(step.value.data);
    }
  } finally {
    events.cancel().catch(() => {}); // whoever reads no further lets the connection go
  }
}

function* pieces({ content, refusal, tool_calls }) {
  if (content) yield { text: content };
  if (refusal) yield { refusal };
  for (const { index, function: part } of tool_calls ?? []) {
    yield { call: { index, name: part?.name ?? "", arguments: part?.arguments ?? "" } };
  }
}

async function messageOf(response) {
  const said = await response.json().catch(() => undefined);
  return said?.error?.message ?? `The server answered ${response.status}.`;
}
