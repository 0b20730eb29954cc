// eventsource-parser over fetch: events read by hand. It has no retries, and the time-out is fetch's signal.

import { body, installed, run, Told } from "./loop.mjs";

const { createParser } = installed("eventsource-parser");

async function ask(asked, fold) {
  const answer = await fetch(`${asked.base_url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body(asked)),
    signal: AbortSignal.timeout(asked.time_limit * 1000),
  });
  if (!answer.ok) throw new Told("StatusError", String(answer.status), errorIn(await answer.text()));
  await parse(answer, fold);
}

function errorIn(text) {
  try {
    return JSON.parse(text).error;
  } catch {
    return null;
  }
}

async function parse(answer, fold) {
  let done = false;
  const parser = createParser({
    onEvent({ event, data }) {
      done ||= data === "[DONE]";
      if (!done) take(event, data, fold);
    },
  });
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text);
    if (done) break;
  }
}

// Named events are for those who ask for them; an error, by name or in the data, is for everyone.
function take(event, data, fold) {
  if (event && event !== "message" && event !== "error") return;
  const value = JSON.parse(data);
  const error = value?.error || (event === "error" ? value : null);
  if (error) throw new Told("ErrorEvent", "an error in the stream", error);
  fold.take(value);
}

await run(ask);
