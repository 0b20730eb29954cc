// Chunks as a client hands them over -> what a plain caller makes of them. The same as fold.py, line by line.

const maps = (value) => (Array.isArray(value) ? value.filter(isMap) : []);
const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function* texts(delta) {
  for (const part of maps(delta.content)) {
    yield ["content", part.text];
    for (const thought of maps(part.thinking)) yield ["reasoning", thought.text];
  }
  yield ["content", delta.content];
  yield ["refusal", delta.refusal];
  const details = maps(delta.reasoning_details).map((part) => part.text || part.summary || "");
  yield ["reasoning", delta.reasoning_content || delta.reasoning || details.join("")];
}

export class Fold {
  choices = new Map();
  usage = null;

  take(chunk) {
    if (!isMap(chunk)) return;
    this.usage = isMap(chunk.usage) ? chunk.usage : this.usage;
    for (const choice of maps(chunk.choices)) this.#choice(choice);
  }

  // Choice 0 as a client that does not hand over chunks tells it: what is said takes the place of before.
  put(said, usage = null) {
    this.usage = usage || this.usage;
    Object.assign(this.#draft(0), said);
  }

  #draft(index) {
    if (!this.choices.has(index))
      this.choices.set(index, { index, content: "", refusal: "", reasoning: "", tool_calls: [], finish_reason: null });
    return this.choices.get(index);
  }

  #choice(choice) {
    const draft = this.#draft(choice.index || 0);
    draft.finish_reason ||= choice.finish_reason || null;
    const delta = choice.delta || choice.message;
    if (!isMap(delta)) return;
    for (const [kind, text] of texts(delta)) draft[kind] += typeof text === "string" ? text : "";
    for (const call of maps(delta.tool_calls)) this.#call(draft.tool_calls, call);
    if (isMap(delta.function_call)) this.#call(draft.tool_calls, { index: 0, function: delta.function_call });
  }

  #call(calls, said) {
    const index = said.index ?? null;
    const same = calls.filter((call) => index === null || call.index === index);
    let call = same.at(-1);
    if (!call || (said.id && call.id && said.id !== call.id)) {
      call = { index: index ?? calls.length, id: "", name: "", arguments: "" };
      calls.push(call);
    }
    const name = said.function?.name || "";
    const text = said.function?.arguments || "";
    call.id ||= said.id || "";
    call.name += name === call.name ? "" : name;
    call.arguments += typeof text === "string" ? text : JSON.stringify(text);
  }

  outcome() {
    const choices = [...this.choices.values()].sort((a, b) => a.index - b.index);
    return choices.length ? { usage: this.usage, choices } : { usage: this.usage };
  }
}
