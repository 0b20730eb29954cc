import assert from "node:assert/strict";
import test from "node:test";
import { found, grouped } from "../../../fakeserver/page/js/lib/find.js";
import { after, filtered, merged, placeOf } from "../../../fakeserver/page/js/lib/rows.js";
import { revealing, windowOf } from "../../../fakeserver/page/js/lib/vlist.js";

const start = (number, more = {}) => ({
  kind: "start",
  data: {
    number,
    session: "s",
    at: 0,
    method: "POST",
    path: "/v1",
    scenario: "hello",
    attempt: 1,
    why: "model",
    status: 200,
    unmatched: false,
    ...more,
  },
});
const end = (number, more = {}) => ({
  kind: "end",
  data: { number, session: "s", ended: "complete", how: "complete", at: 9, events: 6, bytes: 100, ...more },
});
const numbers = (rows) => rows.map((row) => row.number);

test("a row begins, waits at a gate and ends; the newest is first", () => {
  let rows = after([], [start(1), start(2), { kind: "gate", data: { number: 2, gate: "half" } }], 10);
  assert.deepEqual(numbers(rows), [2, 1]);
  assert.deepEqual([rows[0].gate, rows[0].ended], ["half", "in flight"]);
  rows = after(rows, [end(2, { ended: "gone", how: "client gone" })], 10);
  assert.deepEqual([rows[0].gate, rows[0].ended, rows[0].events], [null, "gone", 6]);
});

test("events that are told twice change nothing, those of an unknown request neither", () => {
  const told = [start(1), end(1), start(3), end(2)];
  const rows = after([], told, 10);
  assert.deepEqual(after(rows, told, 10), rows);
  assert.deepEqual(numbers(rows), [3, 1]);
});

test("a reset takes its session's rows; the limit takes the oldest", () => {
  const rows = after(
    [],
    [start(1), start(2, { session: "other" }), start(3), { kind: "reset", data: { session: "s" } }, start(4)],
    10,
  );
  assert.deepEqual(numbers(rows), [4, 2]);
  assert.deepEqual(numbers(after(rows, [start(5)], 2)), [5, 4]);
});

test("pages come beside what is there, in order", () => {
  const rows = after([], [start(5), start(9)], 10);
  const more = after([], [start(2), start(5), start(7)], 10);
  assert.deepEqual(numbers(merged(rows, more)), [9, 7, 5, 2]);
  assert.equal(placeOf(merged(rows, more), 5), 2);
  assert.equal(placeOf(rows, 6), -1);
});

test("filters", () => {
  const rows = after(
    [],
    [start(1), end(1), start(2, { session: "b" }), start(3, { unmatched: true, status: 404, scenario: "" }), end(3)],
    10,
  );
  const with_ = (filter) => numbers(filtered(rows, { text: "", session: "", only: "", ...filter }));
  assert.deepEqual(with_({}), [3, 2, 1]);
  assert.deepEqual(with_({ text: "HELLO complete" }), [1]);
  assert.deepEqual(with_({ session: "b" }), [2]);
  assert.deepEqual(with_({ only: "flight" }), [2]);
  assert.deepEqual(with_({ only: "unmatched" }), [3]);
  assert.deepEqual(with_({ only: "failed" }), [3]);
});

test("so many rows are in the document, wherever it is scrolled", () => {
  for (const top of [0, 1, 26 * 5000, 26 * 10000, 1e9]) {
    const { first, last, before, after } = windowOf(top, 600, 26, 10000);
    assert.ok(last - first <= 50);
    assert.equal(before + (last - first) * 26 + after, 10000 * 26);
    assert.ok(last > first);
  }
  assert.deepEqual(windowOf(0, 600, 26, 0), { first: 0, last: 0, before: 0, after: 0 });
});

test("a row is brought into sight no further than needed", () => {
  assert.equal(revealing(100, 260, 26, 5, 26), 100);
  assert.equal(revealing(100, 260, 26, 0, 26), 0);
  assert.equal(revealing(0, 260, 26, 20, 26), 20 * 26 + 26 + 26 - 260);
});

test("scenarios are found by all words, in name, about, kind and tags", () => {
  const of = (name, about, tags, kind) => ({
    name,
    about,
    tags,
    kind,
    source: [],
    protocol: "chat",
    dialect: null,
    file: "",
  });
  const all = [
    of("hello", "Two words.", ["starter"], "answers"),
    of("reset", "A reset midway.", [], "end"),
    of("x", null, ["Reset"], "end"),
  ];
  assert.deepEqual(
    found(all, "reset").map((each) => each.name),
    ["reset", "x"],
  );
  assert.deepEqual(
    found(all, " MID reset ").map((each) => each.name),
    ["reset"],
  );
  assert.deepEqual(
    found(all, "", "answers").map((each) => each.name),
    ["hello"],
  );
  assert.deepEqual(
    grouped(all, (each) => each.kind).map(([kind, rows]) => [kind, rows.length]),
    [
      ["answers", 1],
      ["end", 2],
    ],
  );
});
