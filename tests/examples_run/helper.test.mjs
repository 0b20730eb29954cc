/** examples/helper/fakeserver.mjs -> what it says where something is wrong, and that it leaves nothing behind. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { connect, FakeServerError, start } from "../../examples/helper/fakeserver.mjs";

const HELPER = new URL("../../examples/helper/fakeserver.mjs", import.meta.url);

let server;
before(async () => {
  server = await start("--token", "secret");
});
after(() => server.stop());

/** One answer, read whole. */
async function ask(session, body = {}) {
  const messages = [{ role: "user", content: "Hi" }];
  const init = { method: "POST", body: JSON.stringify({ model: "any", messages, ...body }) };
  const answer = await fetch(`${session.baseURL}/chat/completions`, init);
  return [answer.status, await answer.text()];
}

test("what the server refuses is told in its words, with its code", async () => {
  const session = server.session();
  await assert.rejects(session.use("helo"), (problem) => {
    assert.ok(problem instanceof FakeServerError);
    assert.equal(problem.code, "unknown-scenario");
    assert.match(problem.message, /PUT http.*\/use: 404 There is no scenario 'helo'; did you mean 'hello'\?$/);
    return true;
  });
});

test("what is wrong with a scenario is told with line, column and remedy", async () => {
  const problem = await server.session().script("about: Two.\nreply: {sya: Hi}\nwait: 3").catch((said) => said);
  assert.match(problem.message, /script-1\.yaml:2:9: unknown key 'sya'\. did you mean 'say'\?\n.*yaml:3:1: /);
});

test("a token that is missing is asked for", async () => {
  await assert.rejects(connect(server.url).session().use("hello"), /401/);
  await connect(`${server.url}/`, "secret").session().use("hello");
});

test("sessions are apart, whatever their names", async () => {
  const [one, two] = [server.session("one / ünd"), server.session()];
  await one.reply("Mine.");
  await two.use("hello");
  assert.match((await ask(one))[1], /Mine\./);
  assert.match((await ask(two))[1], /Hello there\./);
  assert.equal((await one.requests()).length, 1);
  await one.reset();
  assert.deepEqual(await one.requests(), []);
});

test("a request is told whole", async () => {
  const session = server.session();
  await session.use("status-429");
  await ask(session, { temperature: 0 });
  const [{ at, headers, body, number, how, ...rest }] = await session.requests(1);
  assert.ok(Math.abs(at - Date.now() / 1000) < 60);
  assert.equal(headers["user-agent"], "node");
  assert.equal(JSON.parse(body).temperature, 0);
  assert.equal(how, "complete");
  const path = `/session/${session.id}/v1/chat/completions`;
  const answered = { scenario: "status-429", attempt: 1, status: 429, unmatched: null };
  assert.deepEqual(rest, { method: "POST", path, ...answered, ended: "complete" });
});

test("verify tells what it has found, and returns it", async () => {
  const session = server.session();
  await session.use("hello");
  await ask(session);
  const [found] = await session.verify({ scenario: "hello", body: { "/model": "any" }, ended: "complete", count: 1 });
  assert.equal(found.scenario, "hello");
  await session.verify({ scenario: "other", atMost: 0 });
  assert.match(await session.explain(), /^#\d+ POST \/session\/.* 200 hello: complete$/);
  await assert.rejects(session.verify({ atLeast: 2, wait: 0 }), { name: "AssertionError", message: /#\d+ POST/ });
});

test("the verdict names what the client did wrong", async () => {
  const session = server.session();
  await session.use("clean-eof-mid-answer");
  const [, text] = await ask(session, { stream: true });
  assert.ok(text.includes("data: "));
  assert.deepEqual(await session.verdict({ outcome: "truncated" }), []);
  await session.assertWellBehaved({ outcome: "truncated" });
  const [{ code, evidence }] = await session.verdict({ outcome: "complete" });
  assert.equal(code, "truncated-taken-for-complete");
  assert.equal(evidence.records.length, 1);
  const wrong = { name: "AssertionError", message: /^truncated-taken-for-complete: / };
  await assert.rejects(session.assertWellBehaved({ outcome: "complete" }), wrong);
});

test("of a session that was not asked nobody is well behaved", async () => {
  const session = server.session();
  assert.deepEqual(await session.verdict({ outcome: "complete" }), []);
  const message = `Nothing was asked in session ${session.id}; is the client's base URL ${session.baseURL}?`;
  await assert.rejects(session.assertWellBehaved({ outcome: "complete" }), { name: "AssertionError", message });
});

test("a stream can be released into an error", async () => {
  const session = server.session();
  await session.script("{stream: [{role: assistant, say: Hi}, {gate: half}, {finish: stop}, done]}");
  const answer = ask(session, { stream: true });
  assert.equal(await session.gate("half").wait(), 1);
  await assert.rejects(session.gate("half").release({ error: "overlaoded" }), { code: "unknown-error" });
  assert.equal(await session.gate("half").release({ error: "overloaded" }), 1);
  assert.match((await answer)[1], /"Hi"[^]*"error":/);
});

test("what is waited for in vain is named", async () => {
  const session = server.session();
  await assert.rejects(session.gate("half").wait("10ms"), /No stream came to the gate 'half' within 10ms/);
  await session.clock.manual();
  await assert.rejects(session.clock.wait(2, "10ms"), /0 of 2 streams wait/);
  await session.clock.wall();
  await assert.rejects(session.step(1, "10ms"), /the gate '\*'/);
});

test("speed is the session's own", async () => {
  const session = server.session();
  await session.script("{reply: Hi, timing: {first: 60m}}");
  await session.speed("instant");
  assert.equal((await ask(session))[0], 200);
});

test("to drop a session that nobody knows is nothing", async () => {
  await server.session().drop();
});

test("a request that nothing answers is told with the nearest rules", async () => {
  const strict = await start(new URL("../../examples/node-test/scenarios", import.meta.url).pathname);
  const session = strict.session();
  await session.assertNoUnmatched();
  await ask(session);
  await assert.rejects(session.assertNoUnmatched(), /Answered by nothing:\n[^]*look-up/);
  await strict.stop();
  await strict.stop();
  await assert.rejects(session.requests(), /no answer, .*ECONNREFUSED/);
});

test("another server is not taken for it", async () => {
  const other = createServer((_, answer) => answer.end("<p>Hello")).listen(0, "127.0.0.1");
  await once(other, "listening");
  await assert.rejects(connect(`http://127.0.0.1:${other.address().port}`).session().use("hello"), /200 <p>Hello/);
  other.close();
});

test("a server that does not start says why", async () => {
  await assert.rejects(start("no-such-folder"), /code 2[^]*no-such-folder/);
  const { FAKESERVER_COMMAND } = process.env;
  process.env.FAKESERVER_COMMAND = "no-such-program";
  await assert.rejects(start(), /no-such-program.*Is it installed\? FAKESERVER_COMMAND/).finally(() => {
    process.env.FAKESERVER_COMMAND = FAKESERVER_COMMAND;
  });
});

const PATIENCE = { timeout: 120_000 }; // milliseconds: a busy machine is slow
const FORGETFUL = `import { start } from "${HELPER}"; console.log((await start()).url);`;

test("a server that is never stopped keeps nobody from leaving, and ends then", PATIENCE, async () => {
  const done = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", FORGETFUL], PATIENCE);
  await gone(done.stdout.trim());
});

test("it ends with its process, even if that is killed", PATIENCE, async () => {
  const script = `${FORGETFUL} setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  const [url] = await once(child.stdout, "data");
  child.kill("SIGKILL");
  await gone(`${url}`.trim());
});

/** Until nobody listens there; the runner's own time limit is the limit. */
async function gone(url) {
  const there = () => fetch(`${url}/_fakeserver/health`).then(() => true, () => false);
  while (await there()) await setTimeout(20);
}
