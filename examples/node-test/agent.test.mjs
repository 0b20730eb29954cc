import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import OpenAI from "openai";
import { start } from "../helper/fakeserver.mjs";
import { answer, Incomplete } from "./agent.mjs";

const asked = [];
const get_weather = {
  about: "The weather in a city",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  run: ({ city }) => {
    asked.push(city);
    return "rain";
  },
};

let server, session, client;
before(async () => {
  server = await start("scenarios"); // files of one's own: what none of them answers is a 404
});
after(() => server?.stop()); // where it did not start, `before` has said why

beforeEach(() => {
  asked.length = 0;
  session = server.session();
  client = new OpenAI({ baseURL: session.baseURL, apiKey: "any" });
});
afterEach(async () => {
  await session.assertNoUnmatched();
  await session.drop();
});

const weather = () => answer("How is the weather?", { client, tools: { get_weather } });

test("the tool is called, and the model hears what it said", async () => {
  assert.equal(await weather(), "Take an umbrella.");
  assert.deepEqual(asked, ["Oslo"]);
  const [, second] = await session.requests(1);
  assert.deepEqual(JSON.parse(second.body).messages.slice(1), [
    {
      role: "assistant",
      content: "Let me see.",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } }],
    },
    { role: "tool", tool_call_id: "call_1", content: "rain" },
  ]);
});

for (const end of ["end", "close", "reset"]) {
  test(`no tool runs with half of its arguments: ${end}`, async () => {
    await session.script(`
      stream:
        - role: assistant
        - say: Let me see.
        - call: {name: get_weather, arguments: ['{"city":']}
        - ${end}
    `);
    await assert.rejects(weather, (problem) => problem instanceof Incomplete && problem.text === "Let me see.");
    assert.deepEqual(asked, []);
  });
}

test("the official client asks again after a failure", async () => {
  const down = await session.script("respond: {error: overloaded, headers: {retry-after-ms: 10}}");
  await session.use(null);
  await session.enqueue(down, 2);
  assert.equal(await weather(), "Take an umbrella.");
  const statuses = (await session.requests(1)).map(({ status }) => status);
  assert.deepEqual(statuses, [503, 503, 200, 200]);
});

test("half a minute of silence is sat out", async () => {
  await session.clock.manual();
  await session.script("{reply: Dry., timing: {first: 30s}}");
  const said = weather();
  await session.clock.wait(1); // until the stream waits for its moment
  await session.clock.advance(29.9);
  assert.equal((await session.requests())[0].ended, "in flight");
  await session.clock.advance(0.1);
  assert.equal(await said, "Dry.");
});

test("event by event", async () => {
  await session.reply(["One", " two"]);
  await session.holdAll();
  const said = weather();
  await session.step(3); // the role and both words; the finish reason is held back
  await session.gate("*").wait();
  await session.holdAll(false);
  assert.equal(await said, "One two");
});

test("a model that calls and calls is given up", async () => {
  await session.use("look-up");
  await assert.rejects(weather, /no answer after 5 turns/);
  await session.verify({ scenario: "look-up", count: 5, ended: "complete" });
});
