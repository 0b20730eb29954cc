// JSON jobs on stdin -> one JSON outcome a line on stdout, in the order in which they end: {"job": N, ...outcome}.
// A job is {client, baseURL, model, attempts, limit, release: [URL...], retries}: `limit` is in milliseconds, `release`
// is posted to before each request. The clients: openai (iteration and helper), and fetch with eventsource-parser.

import { createParser } from "eventsource-parser";
import OpenAI from "openai";
import { Fold } from "./fold.mjs";

const AT_ONCE = 12;
const HUNG = "nothing: it hangs";

const body = (job) => ({
  model: job.model,
  messages: [{ role: "user", content: "Hello" }],
  stream: true,
  stream_options: { include_usage: true },
});

const retryCount = (attempt) => ({ "x-stainless-retry-count": String(attempt) });

class ErrorEvent extends Error {}
class StatusError extends Error {}

function openai(job, attempt, fold) {
  // The SDK counts its own retries in this header unless it is given one.
  const headers = job.retries ? {} : retryCount(attempt);
  const counted = (...request) => {
    fold.requests += 1;
    return fetch(...request);
  };
  return new OpenAI({
    apiKey: "x",
    baseURL: job.baseURL,
    maxRetries: job.retries ?? 0,
    logLevel: "off",
    defaultHeaders: headers,
    timeout: job.limit,
    fetch: counted,
  });
}

const clients = {
  async node(job, attempt, fold, signal) {
    const stream = await openai(job, attempt, fold).chat.completions.create(body(job), { signal });
    for await (const chunk of stream) fold.take(chunk);
  },

  async "node helper"(job, attempt, fold, signal) {
    const stream = openai(job, attempt, fold).chat.completions.stream(body(job), { signal });
    let snapshot;
    stream.on("chunk", (_, now) => (snapshot = now));
    try {
      snapshot = await stream.finalChatCompletion();
    } finally {
      fold.take(snapshot);
    }
  },

  async "eventsource-parser"(job, attempt, fold, signal) {
    const answer = await fetch(`${job.baseURL}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...retryCount(attempt) },
      body: JSON.stringify(body(job)),
      signal,
    });
    if (!answer.ok) throw await statusError(answer);
    await parse(answer, fold);
  },
};

async function statusError(answer) {
  const text = await answer.text();
  const problem = new StatusError(String(answer.status));
  try {
    problem.error = JSON.parse(text).error;
  } catch {}
  return problem;
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
  if (value?.error || event === "error") {
    throw Object.assign(new ErrorEvent("error"), { error: value?.error || value });
  }
  fold.take(value);
}

// The general classes say what happened in their message only.
function nameOf(problem) {
  const name = problem?.constructor?.name ?? String(problem);
  const general = ["OpenAIError", "TypeError", "Error"].includes(name);
  if (general && problem.cause?.constructor?.name === "SyntaxError") return `${name}: SyntaxError`;
  return general ? `${name}: ${problem.message}` : name;
}

async function once(job, attempt) {
  for (const url of job.release) await (await fetch(url, { method: "POST" })).text();
  const fold = new Fold();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), job.limit);
  try {
    await clients[job.client](job, attempt, fold, patience.signal);
    return { ...fold.outcome(patience.signal.aborted ? HUNG : null), requests: fold.requests };
  } catch (problem) {
    return fold.outcome(patience.signal.aborted ? HUNG : nameOf(problem), problem?.error ?? null);
  } finally {
    clearTimeout(timer);
  }
}

async function work(queue) {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [number, job] = next;
    let outcome;
    for (let attempt = 0; attempt < job.attempts; attempt++) outcome = await once(job, attempt);
    process.stdout.write(`${JSON.stringify({ job: number, ...outcome })}\n`);
  }
}

let input = "";
for await (const text of process.stdin.setEncoding("utf8")) input += text;
const queue = [...JSON.parse(input).entries()];
await Promise.all(Array.from({ length: AT_ONCE }, () => work(queue)));
