// @ts-check
/** The bytes of a write -> in a few words what its last event says: a piece of text, a finish reason, usage. */

/** @param {Uint8Array} data */
export function says(data) {
  if (data.length > 20_000) return "";
  const lines = new TextDecoder().decode(data).split(/\r\n|\r|\n/);
  const last = lines.findLast((line) => line.startsWith("data:"));
  if (last === undefined) return "";
  const text = last.slice(5).trim();
  if (text === "[DONE]") return text;
  try {
    return wordsOf(JSON.parse(text));
  } catch {
    return "";
  }
}

/** @param {any} chunk */
function wordsOf(chunk) {
  if (chunk?.error) return `error ${chunk.error.code ?? chunk.error.type ?? ""}`;
  if (typeof chunk?.type === "string")
    return typeof chunk.delta === "string" ? quoted(chunk.delta) : chunk.type.replace("response.", "");
  const choice = chunk?.choices?.[0];
  if (!choice) return chunk?.usage ? "usage" : "";
  const delta = choice.delta ?? choice.message ?? {};
  const call = delta.tool_calls?.[0]?.function;
  const piece = [
    delta.content,
    delta.reasoning_content,
    delta.reasoning,
    delta.refusal,
    choice.text,
    call?.name,
    call?.arguments,
  ];
  const said = piece.find((each) => typeof each === "string" && each !== "");
  const parts = [said !== undefined && quoted(said), choice.finish_reason && `finish ${choice.finish_reason}`];
  return parts.filter(Boolean).join(", ") || (delta.role ? `role ${delta.role}` : "");
}

/** @param {string} text */
function quoted(text) {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
