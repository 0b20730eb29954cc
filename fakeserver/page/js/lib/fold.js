// @ts-check
/**
 * The JSON of an answer's events, one after the other -> the answer so far. Forgiving: it shows what a lenient client
 * would have, whatever the dialect. It must not know SSE or HTTP.
 */

/**
 * @typedef {{id: string, name: string, arguments: string}} ToolCall
 * @typedef {{role: string, content: string, reasoning: string, refusal: string, calls: Map<number | string, ToolCall>,
 *   finish: string | null}} Choice
 * @typedef {{choices: Map<number, Choice>, usage: any, error: any, done: boolean, broken: number}} Answer
 */

/** @returns {Answer} */
export function emptyAnswer() {
  return { choices: new Map(), usage: null, error: null, done: false, broken: 0 };
}

/** One event's data, or a whole body. @param {Answer} answer @param {string} data */
export function fold(answer, data) {
  if (data.trim() === "[DONE]") {
    answer.done = true;
    return;
  }
  let value;
  try {
    value = JSON.parse(data);
  } catch {
    answer.broken += 1;
    return;
  }
  if (value === null || typeof value !== "object") return;
  if (typeof value.type === "string" && value.type.startsWith("response.")) return foldResponse(answer, value);
  if (value.error) answer.error = value.error;
  if (value.usage) answer.usage = value.usage;
  for (const each of list(value.choices)) foldChoice(choiceOf(answer, each.index ?? 0), each);
  if (value.object === "response") foldOutput(answer, value);
}

/** @param {Answer} answer @param {number} index @returns {Choice} */
function choiceOf(answer, index) {
  let choice = answer.choices.get(index);
  if (!choice) {
    choice = { role: "", content: "", reasoning: "", refusal: "", calls: new Map(), finish: null };
    answer.choices.set(index, choice);
  }
  return choice;
}

/** @param {Choice} choice @param {any} said */
function foldChoice(choice, said) {
  const delta = said.delta ?? said.message ?? {};
  if (typeof delta.role === "string" && delta.role) choice.role = delta.role;
  if (typeof said.text === "string") choice.content += said.text;
  foldContent(choice, delta.content);
  choice.reasoning += text(delta.reasoning_content) || text(delta.reasoning);
  choice.refusal += text(delta.refusal);
  for (const [place, call] of list(delta.tool_calls).entries()) {
    addCall(choice, call.index ?? place, call.id, call.function?.name, call.function?.arguments);
  }
  if (delta.function_call) addCall(choice, 0, "", delta.function_call.name, delta.function_call.arguments);
  if (said.finish_reason) choice.finish = String(said.finish_reason);
}

/** A text, or a list of parts. @param {Choice} choice @param {any} content */
function foldContent(choice, content) {
  if (!Array.isArray(content)) {
    choice.content += text(content);
    return;
  }
  for (const part of content) {
    if (part?.type === "thinking")
      choice.reasoning += list(part.thinking)
        .map((each) => text(each?.text))
        .join("");
    else choice.content += text(part?.text);
  }
}

/** @param {Choice} choice @param {number | string} key @param {any} id @param {any} name @param {any} more */
function addCall(choice, key, id, name, more) {
  const call = choice.calls.get(key) ?? { id: "", name: "", arguments: "" };
  call.id ||= text(id);
  call.name ||= text(name);
  call.arguments += typeof more === "object" && more ? JSON.stringify(more) : text(more);
  choice.calls.set(key, call);
}

/** An event of the Responses protocol. @param {Answer} answer @param {any} said */
function foldResponse(answer, said) {
  const choice = choiceOf(answer, 0);
  const kind = said.type.slice("response.".length);
  if (kind === "output_text.delta") choice.content += text(said.delta);
  else if (kind === "refusal.delta") choice.refusal += text(said.delta);
  else if (kind === "reasoning_text.delta" || kind === "reasoning_summary_text.delta")
    choice.reasoning += text(said.delta);
  else if (kind === "function_call_arguments.delta") addCall(choice, said.output_index ?? 0, "", "", said.delta);
  else if (kind === "output_item.added" && said.item?.type === "function_call") {
    addCall(choice, said.output_index ?? 0, said.item.call_id, said.item.name, "");
  } else if (["completed", "incomplete", "failed"].includes(kind)) {
    choice.finish = kind;
    answer.usage = said.response?.usage ?? answer.usage;
    answer.error = said.response?.error ?? answer.error;
  }
}

/** The one object of a Responses answer that is not streamed. @param {Answer} answer @param {any} value */
function foldOutput(answer, value) {
  const choice = choiceOf(answer, 0);
  choice.finish = text(value.status) || choice.finish;
  for (const [place, item] of list(value.output).entries()) {
    if (item.type === "function_call") addCall(choice, place, item.call_id, item.name, item.arguments);
    for (const part of list(item.content)) {
      choice.content += text(part?.text);
      choice.refusal += text(part?.refusal);
    }
  }
}

/** @param {any} value @returns {string} */
function text(value) {
  return typeof value === "string" ? value : "";
}

/** @param {any} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value.filter((each) => each !== null && typeof each === "object") : [];
}
