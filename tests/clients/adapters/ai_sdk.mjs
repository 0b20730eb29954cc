// Vercel's AI SDK: streamText with @ai-sdk/openai-compatible. Every part of fullStream, or textStream and then the
// promises for the rest.
// node adapters/ai_sdk.mjs full|text

import { installed, run, Told } from "./loop.mjs";

const { streamText } = installed("ai");
const { createOpenAICompatible } = installed("@ai-sdk/openai-compatible");
const WHOLE = 4; // times the limit: for all of a call, with the waits between its attempts (2 and 4 seconds)

function start(asked, onError) {
  const provider = createOpenAICompatible({ name: "any", apiKey: "any", baseURL: asked.base_url, includeUsage: true });
  const limit = asked.time_limit * 1000;
  const timeout = { chunkMs: limit, totalMs: WHOLE * limit };
  return streamText({ model: provider(asked.model), prompt: "Hello", timeout, onError });
}

const told = (error) => {
  const found = error?.lastError ?? error; // what a RetryError is about
  const name = error?.constructor === Object ? "error part" : (error?.constructor?.name ?? typeof error);
  const said = found?.data?.error ?? (error instanceof Error ? null : error);
  return new Told(name, String(error?.message ?? error), said);
};

const asking = {
  async full(asked, fold) {
    const draft = { content: "", reasoning: "", tool_calls: [], finish_reason: null };
    const inputs = new Map();
    for await (const part of start(asked, () => {}).fullStream) {
      if (part.type === "text-delta") draft.content += part.text;
      else if (part.type === "reasoning-delta") draft.reasoning += part.text;
      else if (part.type === "tool-input-delta") inputs.set(part.id, (inputs.get(part.id) ?? "") + part.delta);
      else if (part.type === "tool-call") draft.tool_calls.push(call(part, inputs.get(part.toolCallId)));
      else if (part.type === "finish-step") Object.assign(draft, ended(part));
      else if (part.type === "error") throw told(part.error);
      else if (part.type === "abort") throw new Told("AbortError", "an abort part");
      fold.put(draft, usage(part.usage));
    }
  },

  async text(asked, fold) {
    let problem = null;
    const result = start(asked, ({ error }) => (problem ??= told(error)));
    let content = "";
    for await (const text of result.textStream) fold.put({ content: (content += text) });
    if (problem) throw problem;
    const calls = await result.toolCalls;
    fold.put({ reasoning: (await result.reasoningText) ?? "", tool_calls: calls.map((each) => call(each)) });
    const [finishReason, rawFinishReason] = [await result.finishReason, await result.rawFinishReason];
    fold.put(ended({ finishReason, rawFinishReason }), usage(await result.usage));
  },
};

// Its input is an object; told in the words that came where these say no other thing.
function call({ toolCallId, toolName, input }, came) {
  const read = typeof input === "string" ? input : JSON.stringify(input);
  return { id: toolCallId, name: toolName, arguments: sameJson(came, read) ? came : read };
}

function sameJson(came, read) {
  try {
    return JSON.stringify(JSON.parse(came)) === read;
  } catch {
    return false;
  }
}

// Its own word for it, in OpenAI's spelling; where it has none, the word that came.
const ended = ({ finishReason, rawFinishReason }) => ({
  finish_reason: (finishReason === "other" && rawFinishReason) || finishReason?.replace("-", "_") || null,
});

function usage(said) {
  if (said?.inputTokens === undefined && said?.outputTokens === undefined) return null;
  const cached = said.inputTokenDetails?.cacheReadTokens;
  const reasoning = said.outputTokenDetails?.reasoningTokens;
  return {
    prompt_tokens: said.inputTokens,
    completion_tokens: said.outputTokens,
    total_tokens: said.totalTokens,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

globalThis.AI_SDK_LOG_WARNINGS = false;
await run(asking[process.argv[2]]);
