/**
 * A question -> a streamed answer, and how it ended. Text that has come is never lost, and never shown twice.
 *
 * It tells four ends apart. Only a finish reason makes an answer complete: a stream that merely stops was cut off,
 * however clean its end looks. It must not know who shows the answer.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";

export interface Answer {
  text: string;
  end: "complete" | "truncated" | "failed" | "stopped";
  /** The finish reason; or what went wrong. */
  reason: string;
}

export interface Options {
  baseURL: string;
  model?: string;
  apiKey?: string;
  signal?: AbortSignal;
  /** How often a refusal that asks to come again is followed. */
  retries?: number;
  onText?: (piece: string) => void;
}

interface Chunk {
  error?: { message?: string };
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[];
}

const BUSY = [429, 503];

export async function ask(question: string, options: Options): Promise<Answer> {
  const answer: Answer = { text: "", end: "failed", reason: "" };
  try {
    const response = await request(question, options);
    if (response.ok && response.body) await read(response.body, answer, options);
    else answer.reason = `${response.status}: ${await messageOf(response)}`;
  } catch (problem) {
    if (options.signal?.aborted) Object.assign(answer, { end: "stopped", reason: "" });
    else if (answer.end !== "complete") answer.reason = String(problem);
  }
  return answer;
}

/** Asks again only where nothing has been answered, and not before the server has said. */
async function request(question: string, options: Options): Promise<Response> {
  const { baseURL, model = "gpt-5", apiKey = "any", signal, retries = 2 } = options;
  const body = JSON.stringify({ model, stream: true, messages: [{ role: "user", content: question }] });
  const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`${baseURL}/chat/completions`, { method: "POST", headers, body, signal });
    if (!BUSY.includes(response.status) || attempt === retries) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get("retry-after") ?? 2 ** attempt);
    await sleep(seconds * 1000, undefined, { signal });
  }
}

async function read(body: ReadableStream<Uint8Array>, answer: Answer, { onText }: Options): Promise<void> {
  Object.assign(answer, { end: "truncated", reason: "the stream ended without a finish reason" });
  const text = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  for await (const { data } of text.pipeThrough(new EventSourceParserStream())) {
    if (data === "[DONE]") return;
    const chunk: Chunk = JSON.parse(data);
    if (chunk.error) {
      Object.assign(answer, { end: "failed", reason: chunk.error.message ?? "an error without a message" });
      return;
    }
    const { delta, finish_reason } = chunk.choices?.[0] ?? {};
    if (delta?.content) {
      answer.text += delta.content;
      onText?.(delta.content);
    }
    if (finish_reason) Object.assign(answer, { end: "complete", reason: finish_reason });
  }
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return JSON.parse(text).error.message;
  } catch {
    return text;
  }
}
