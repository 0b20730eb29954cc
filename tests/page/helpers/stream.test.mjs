import assert from "node:assert/strict";
import test from "node:test";
import { createParser } from "eventsource-parser";
import { arrivals } from "../../../fakeserver/page/js/lib/arrivals.js";
import { emptyAnswer, fold } from "../../../fakeserver/page/js/lib/fold.js";
import { SseReader } from "../../../fakeserver/page/js/lib/sse.js";
import { Taken } from "../../../fakeserver/page/js/lib/taken.js";

const TEXT =
  '\ufeff: hi\n\ndata: {"a":"naïve 🌍"}\r\n\r\ndata: x\r\ndata: y\r\n\r\nevent: x\rid: 7\rdata:one\rdata: two\r\rdata\n\nretry: 5\ndata: [DONE]\n\ndata: half';

function read(parts) {
  const reader = new SseReader();
  const events = parts.flatMap((part) => reader.take(part));
  return { events, rest: reader.rest };
}

test("the events are those of a parser that others use, wherever the bytes are cut", () => {
  const known = [];
  const parser = createParser({ onEvent: (event) => known.push([event.event ?? "", event.data]) });
  parser.feed(TEXT.replaceAll("\r\n", "\n").replaceAll("\r", "\n"));
  const whole = new TextEncoder().encode(TEXT);
  for (let cut = 0; cut <= whole.length; cut++) {
    const { events, rest } = read([whole.subarray(0, cut), whole.subarray(cut)]);
    assert.deepEqual(
      events.filter((each) => each.comment === null).map((each) => [each.event, each.data]),
      known,
    );
    assert.equal(rest, "data: half");
  }
  const { events } = read([...whole].map((byte) => Uint8Array.of(byte)));
  assert.deepEqual(
    events.map((each) => each.comment ?? each.data),
    ["hi", '{"a":"naïve 🌍"}', "x\ny", "one\ntwo", "", "[DONE]"],
  );
  assert.equal(events[3].id, "7");
});

const folded = (...chunks) => {
  const answer = emptyAnswer();
  for (const chunk of chunks) fold(answer, typeof chunk === "string" ? chunk : JSON.stringify(chunk));
  return answer;
};
const delta = (delta, more = {}) => ({ choices: [{ index: 0, delta, ...more }] });

test("an answer grows of its deltas", () => {
  const answer = folded(
    delta({ role: "assistant", content: "" }),
    delta({ reasoning_content: "Hm." }),
    delta({ content: "Hel" }),
    delta({ content: "lo" }),
    delta({ tool_calls: [{ index: 0, id: "call_1", function: { name: "f", arguments: "" } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
    delta({}, { finish_reason: "tool_calls" }),
    { choices: [], usage: { total_tokens: 3 } },
    "[DONE]",
  );
  const choice = answer.choices.get(0);
  assert.equal(choice.content, "Hello");
  assert.equal(choice.reasoning, "Hm.");
  assert.equal(choice.finish, "tool_calls");
  assert.deepEqual([...choice.calls.values()], [{ id: "call_1", name: "f", arguments: '{"a":1}' }]);
  assert.deepEqual([answer.usage, answer.done, answer.broken], [{ total_tokens: 3 }, true, 0]);
});

test("refusals, parts, other choices, errors, whole messages and what is no JSON", () => {
  assert.equal(folded(delta({ refusal: "No" }), delta({ refusal: "." })).choices.get(0).refusal, "No.");
  assert.equal(
    folded(
      delta({
        content: [
          { type: "text", text: "A" },
          { type: "thinking", thinking: [{ text: "b" }] },
        ],
      }),
    ).choices.get(0).reasoning,
    "b",
  );
  assert.deepEqual([...folded({ choices: [{ index: 1, delta: { content: "x" } }] }).choices.keys()], [1]);
  assert.deepEqual(folded({ error: { message: "m" } }).error, { message: "m" });
  assert.equal(
    folded({ choices: [{ message: { role: "assistant", content: "All" }, finish_reason: "stop" }] }).choices.get(0)
      .content,
    "All",
  );
  assert.equal(folded("{half", "null", "7").broken, 1);
});

test("the Responses protocol", () => {
  const answer = folded(
    { type: "response.output_text.delta", delta: "He" },
    { type: "response.output_text.delta", delta: "y" },
    { type: "response.completed", response: { usage: { total_tokens: 2 } } },
  );
  assert.equal(answer.choices.get(0).content, "Hey");
  assert.deepEqual([answer.choices.get(0).finish, answer.usage], ["completed", { total_tokens: 2 }]);
});

test("reads become events, an answer, and moments of the rows that they complete", () => {
  const text = 'data: {"choices":[{"index":0,"delta":{"content":"Hé"}}]}\n\ndata: [DONE]\n\ndata: ha';
  const bytes = new TextEncoder().encode(text);
  const taken = new Taken(true);
  taken.take(bytes.subarray(0, 50), 1);
  taken.take(bytes.subarray(50), 7);
  taken.finish();
  assert.deepEqual(
    [taken.total, taken.reads.length, taken.events.length, taken.rest],
    [bytes.length, 2, 2, "data: ha"],
  );
  assert.equal(taken.answer.choices.get(0).content, "Hé");
  const row = (index, body, size = 5) => ({ index, body, size });
  const rows = [row(0, 0), row(1, 40), row(2, 50), row(3, null, 0), row(4, 51), row(5, 500)];
  assert.deepEqual(
    [...arrivals(taken.reads, rows)],
    [
      [1, 1],
      [2, 1],
      [4, 7],
    ],
  );
});

test("a body that is no stream is one answer, though a character is cut", () => {
  const bytes = new TextEncoder().encode('{"choices":[{"message":{"content":"é"}}]}');
  const taken = new Taken(false);
  for (const byte of bytes) taken.take(Uint8Array.of(byte), 0);
  taken.finish();
  assert.equal(taken.answer.choices.get(0).content, "é");
  assert.equal(taken.events.length, 0);
});
