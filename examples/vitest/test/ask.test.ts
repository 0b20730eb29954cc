import { expect } from "vitest";
import { ask } from "../src/ask.ts";
import { test } from "./fakeserver.ts";

test("a whole answer", async ({ fakeserver }) => {
  await fakeserver.use("hello");
  const answer = await ask("Hi", { baseURL: fakeserver.baseURL });
  expect(answer).toEqual({ text: "Hello there.", end: "complete", reason: "stop" });
});

test("a stream that is cut inside of characters", async ({ fakeserver }) => {
  await fakeserver.script(`
    reply: "naïve 🌍"
    wire: {cut: {inside: utf8}}
  `);
  const pieces: string[] = [];
  const answer = await ask("Hi", { baseURL: fakeserver.baseURL, onText: (piece) => pieces.push(piece) });
  expect(answer.text).toBe("naïve 🌍");
  expect(pieces.join("")).toBe("naïve 🌍");
});

test("a reset half way is told, and the text is kept", async ({ fakeserver }) => {
  await fakeserver.script(`
    reply: {say: [One, " two", " three"]}
    break: {at: 3, with: reset}
  `);
  const answer = await ask("Count", { baseURL: fakeserver.baseURL });
  expect(answer).toMatchObject({ text: "One two", end: "truncated" });
  expect(answer.reason).toMatch(/terminated/);
});

test("a clean end without a finish reason is no whole answer", async ({ fakeserver }) => {
  await fakeserver.script(`
    stream:
      - {role: assistant, say: [Half, " an", " answer"]}
  `);
  const answer = await ask("Hi", { baseURL: fakeserver.baseURL });
  expect(answer).toMatchObject({ text: "Half an answer", end: "truncated" });
});

test("an error in the middle is told, and the text is kept", async ({ fakeserver }) => {
  await fakeserver.script("reply: {say: Half, fail: {message: The server had an error, type: server_error}}");
  const answer = await ask("Hi", { baseURL: fakeserver.baseURL });
  expect(answer).toEqual({ text: "Half", end: "failed", reason: "The server had an error" });
});

const HELD = `
  stream:
    - {role: assistant, say: Half}
    - gate: half
    - {say: " and half.", finish: stop}
    - done
`;

test("the first half is shown while the second is not there yet", async ({ fakeserver }) => {
  await fakeserver.script(HELD);
  let shown = "";
  const answer = ask("Hi", { baseURL: fakeserver.baseURL, onText: (piece) => (shown += piece) });
  await fakeserver.gate("half").wait();
  await expect.poll(() => shown).toBe("Half");
  await fakeserver.gate("half").release();
  expect(await answer).toMatchObject({ text: "Half and half.", end: "complete" });
});

test("stop leaves, and the server sees it", async ({ fakeserver }) => {
  await fakeserver.script(HELD);
  const stop = new AbortController();
  const answer = ask("Hi", { baseURL: fakeserver.baseURL, signal: stop.signal, onText: () => stop.abort() });
  expect(await answer).toEqual({ text: "Half", end: "stopped", reason: "" });
  await fakeserver.verify({ ended: "gone", count: 1 });
});

test("a busy server is asked again, and not too early", async ({ fakeserver }) => {
  const busy = await fakeserver.script("respond: {error: rate-limited, headers: {retry-after: 1}}");
  await fakeserver.use("hello");
  await fakeserver.enqueue(busy);
  const answer = await ask("Hi", { baseURL: fakeserver.baseURL });
  expect(answer.text).toBe("Hello there.");
  const [first, second] = await fakeserver.verify({ body: { "/messages/0/content": "Hi" }, count: 2 });
  expect([first.status, second.status]).toEqual([429, 200]);
  expect(second.at - first.at).toBeGreaterThan(0.99);
});

test("an answer that has begun is not asked for again", async ({ fakeserver }) => {
  await fakeserver.use("hello+reset-midway");
  const { text } = await ask("Hi", { baseURL: fakeserver.baseURL, retries: 5 });
  await fakeserver.verify({ scenario: "hello", count: 1 });
  await fakeserver.assertWellBehaved({ outcome: "truncated", shown: text });
});
