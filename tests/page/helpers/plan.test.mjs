import assert from "node:assert/strict";
import test from "node:test";
import { controlLine, curlLine, quoted } from "../../../fakeserver/page/js/lib/curl.js";
import { clock, counted, grouped, size, span } from "../../../fakeserver/page/js/lib/format.js";
import { json, pretty, yaml } from "../../../fakeserver/page/js/lib/highlight.js";
import { moments, paceOf, planRows } from "../../../fakeserver/page/js/lib/plan.js";
import { format, parse } from "../../../fakeserver/page/js/lib/route.js";

const write = (due_ns, text, events = 0, part = "body") => ({ do: "write", part, due_ns, events, base64: btoa(text) });
const HEAD = write(0, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", 0, "head");
const END = (due_ns) => ({ do: "end", kind: "end", due_ns, base64: btoa("0\r\n\r\n") });
const rowsOf = (...actions) => planRows({ selector: "x", about: null, status: 200, idle: null, actions });
const record = (times_ns, more = {}) => ({
  times_ns,
  writes: times_ns.length,
  gates: [],
  ending: { how: "complete" },
  ...more,
});
const told = (rows, record) => rows.map((row) => moments(rows, record).get(row.index)?.actual);

test("rows say what they are and how much of the body they complete", () => {
  const rows = rowsOf(
    HEAD,
    write(5, "2\r\nab\r\n", 1),
    { do: "gate", name: "half", due_ns: 7 },
    write(1, "1\r\nc\r\n", 1),
    write(2, "2\r\nde\r\n", 3),
    END(3),
  );
  assert.deepEqual(
    rows.map((row) => row.what),
    ["head", "event 1", "gate half", "part of 2", "events 2–3", "clean end"],
  );
  assert.deepEqual(
    rows.map((row) => row.at),
    [0, 5, 7, 8, 9, 10],
  );
  assert.deepEqual(
    rows.map((row) => row.body),
    [0, 2, null, 3, 5, 5],
  );
  assert.deepEqual(
    rows.map((row) => row.size),
    [47, 7, 0, 6, 7, 5],
  );
});

test("one moment a write where each has its own", () => {
  const rows = rowsOf(HEAD, write(100, "a", 1), write(200, "b", 2), END(200));
  assert.deepEqual(
    told(
      rows,
      record([
        [0, 1],
        [100, 103],
        [200, 204],
        [200, 205],
      ]),
    ),
    [1, 103, 204, 205],
  );
});

test("writes of one moment share it, and the framing's end has its own", () => {
  const rows = rowsOf(HEAD, write(0, "a", 1), write(9, "b", 2), write(9, "c", 3), END(9));
  assert.deepEqual(
    told(
      rows,
      record(
        [
          [0, 1],
          [9, 12],
          [9, 13],
        ],
        { writes: 5 },
      ),
    ),
    [1, 1, 12, 12, 13],
  );
});

test("a stream that was cut short has moments only so far as it came", () => {
  const rows = rowsOf(HEAD, write(5, "a", 1), write(10, "b", 2), { do: "end", kind: "reset", due_ns: 10 });
  assert.deepEqual(
    told(
      rows,
      record(
        [
          [0, 1],
          [5, 6],
        ],
        { ending: { how: "gone" } },
      ),
    ),
    [1, 6, undefined, undefined],
  );
});

test("a gate has the moment at which it was reached", () => {
  const rows = rowsOf(HEAD, { do: "gate", name: "g", due_ns: 4 }, write(0, "a", 1), END(1));
  const gates = [
    { gate: "*", at: 1 },
    { gate: "g", at: 4 },
  ];
  assert.deepEqual(
    told(
      rows,
      record(
        [
          [0, 1],
          [90, 91],
          [91, 92],
        ],
        { gates },
      ),
    ),
    [1, 4, 91, 92],
  );
});

test("of a long stream the first and the last moments are kept", () => {
  const writes = Array.from({ length: 200 }, (_, i) => write(i + 1, "x", i + 1));
  const rows = rowsOf(HEAD, ...writes, END(200));
  const all = rows.map((row, i) => [row.due, i]);
  const found = told(rows, record([...all.slice(0, 32), ...all.slice(-32)], { writes: 202 }));
  assert.deepEqual(
    [found[0], found[31], found[32], found[169], found[170], found[201]],
    [0, 31, undefined, undefined, 170, 201],
  );
});

test("the pace is what the moments say", () => {
  const rows = rowsOf(HEAD, write(100, "a", 1), END(100));
  assert.equal(paceOf(rows, new Map([[1, { planned: 50, actual: 51 }]])), 0.5);
  assert.equal(paceOf(rows, new Map()), 1);
  assert.equal(paceOf(rows, new Map([[0, { planned: 0, actual: 3 }]]), 0.1), 0.1);
});

test("addresses go there and back", () => {
  assert.deepEqual(parse("#/scenarios/a%20b?overlays=x,y&attempt=2"), {
    parts: ["scenarios", "a b"],
    query: { overlays: "x,y", attempt: "2" },
  });
  assert.equal(
    format(["scenarios", "a b"], { overlays: "x,y", dialect: "", attempt: undefined }),
    "#/scenarios/a%20b?overlays=x,y",
  );
  assert.deepEqual(parse(""), { parts: [], query: {} });
  assert.deepEqual(parse("#/x/%zz").parts, ["x", "%zz"]);
});

test("numbers for people", () => {
  assert.deepEqual([0, 12, 3_400, 2_500_000, 1_500_000_000, 65e9, null].map(span), [
    "0",
    "12 ns",
    "3.4 µs",
    "2.5 ms",
    "1.5 s",
    "1 m 5 s",
    "",
  ]);
  assert.deepEqual([0, 999, 1234, 12_345_678].map(size), ["0 B", "999 B", "1.23 kB", "12.3 MB"]);
  assert.deepEqual([grouped(1234567), counted(1, "row"), counted(2000, "row")], ["1,234,567", "1 row", "2,000 rows"]);
  assert.match(clock(Date.UTC(2026, 0, 2, 3, 4, 5, 6) * 1e6), /^\d\d:04:05\.006$/);
});

test("a line for a shell", () => {
  assert.equal(quoted("it's"), `'it'\\''s'`);
  assert.equal(curlLine("http://h/v1", { a: "b c" }, "{}"), "curl -N http://h/v1 -H 'a: b c' -d '{}'");
  assert.equal(
    controlLine("PUT", "http://h/x", { a: 1 }, true),
    `curl -fsS -o /dev/null -X PUT http://h/x -H 'content-type: application/json' -H "authorization: Bearer $FAKESERVER_TOKEN" -d '{"a":1}'`,
  );
});

test("colours change no character", () => {
  const text = 'about: "x: y" # why\nreply: {say: [a, 12], wait: 2s}\n';
  assert.equal(
    yaml(text)
      .map((run) => run.text)
      .join(""),
    text,
  );
  assert.deepEqual(
    yaml(text)
      .filter((run) => run.kind === "comment")
      .map((run) => run.text),
    ["# why"],
  );
  assert.equal(json(pretty('{"a":[1,null,"b"]}')).filter((run) => run.kind === "key").length, 1);
  assert.equal(pretty("{half"), "{half");
});
