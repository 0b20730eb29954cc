/**
 * A question -> the model's answer, by way of the tools that it calls. A stream that does not end as it should raises:
 * no tool runs with half of its arguments. It must not know who asks, nor which server answers.
 */

import OpenAI from "openai";

export class Incomplete extends Error {
  /** @param {string} text what had come */
  constructor(text, reason) {
    super(`the answer is not whole: ${reason}`);
    this.text = text;
  }
}

/** Tools by name: {about, parameters, run}. */
export async function answer(question, { client = new OpenAI(), model = "gpt-5", tools = {}, turns = 5 } = {}) {
  const messages = [{ role: "user", content: question }];
  for (let turn = 0; turn < turns; turn++) {
    const message = await turnOf(client, { model, messages, tools: offered(tools) });
    if (!message.tool_calls) return message.content;
    messages.push(message, ...(await Promise.all(message.tool_calls.map((call) => result(call, tools)))));
  }
  throw new Incomplete("", `no answer after ${turns} turns`);
}

async function turnOf(client, request) {
  const calls = [];
  let text = "";
  let reason;
  const stream = await client.chat.completions.create({ ...request, stream: true });
  try {
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? "";
      for (const piece of choices[0]?.delta.tool_calls ?? []) add(piece, calls);
      reason ??= choices[0]?.finish_reason;
    }
  } catch (problem) {
    throw new Incomplete(text, problem.message);
  }
  if (reason !== "stop" && reason !== "tool_calls") throw new Incomplete(text, reason ?? "no finish reason");
  return { role: "assistant", content: text, ...(calls.length ? { tool_calls: calls } : {}) };
}

function add({ index, id, function: part }, calls) {
  const call = (calls[index] ??= { id, type: "function", function: { name: "", arguments: "" } });
  call.function.name ||= part?.name ?? "";
  call.function.arguments += part?.arguments ?? "";
}

function offered(tools) {
  return Object.entries(tools).map(([name, { about, parameters }]) => {
    return { type: "function", function: { name, description: about, parameters } };
  });
}

async function result({ id, function: { name, arguments: said } }, tools) {
  const content = await tools[name].run(JSON.parse(said));
  return { role: "tool", tool_call_id: id, content };
}
