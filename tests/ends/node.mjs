// JSON {port, jobs: [{name, wire, chunks, word, hang, slow, times}]} on stdin -> one JSON line a job, in the order in
// which they end: {job, seen: [{lost, raised}]}. The client is openai for Node over the built-in fetch.
//
// fetch throws away what it has read and nobody has fetched as soon as the connection fails, so what has reached the
// client is counted at its socket.

import { createRequire } from "node:module";
import diagnostics from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";

const require = createRequire(new URL("../clients/node/package.json", import.meta.url));
const { OpenAI } = require("openai");

const AT_ONCE = { busy: 2, hung: 8 };
const ROUND = 10; // hung answers of one job
const SILENCE = 100; // milliseconds after the last byte, and then a hung answer is given up
const sockets = new Map(); // by number of the request: its socket, and what that had read before and after it
const numberOf = (request) => new URLSearchParams(request.path.split("?")[1]).get("n");

diagnostics.subscribe("undici:client:sendHeaders", ({ request, socket }) => {
  sockets.set(numberOf(request), { socket, before: socket.bytesRead });
});
diagnostics.subscribe("undici:request:trailers", ({ request }) => {
  const used = sockets.get(numberOf(request)); // from here on it serves the next request
  if (used) used.after = used.socket.bytesRead;
});

let count = 0;

function named(problem) {
  const cause = problem?.cause?.cause ?? problem?.cause;
  const name = problem.constructor.name;
  return cause ? `${name} < ${cause.code ?? cause.constructor.name}` : name;
}

async function giveUp(number, job, patience) {
  const all = () => sockets.get(number)?.socket.bytesRead - sockets.get(number)?.before >= job.wire;
  for (let left = 60_000; !all() && left > 0; left -= 5) await sleep(5);
  await sleep(SILENCE);
  patience.abort();
}

async function once(port, job) {
  const number = String(++count);
  const client = new OpenAI({ apiKey: "x", baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0, logLevel: "off",
                              defaultQuery: { n: number } });
  const patience = new AbortController();
  if (job.hang) giveUp(number, job, patience);
  let raised = "", wrong = false, seen = 0;
  try {
    const body = { model: job.name, stream: true, messages: [{ role: "user", content: "Hello" }] };
    for await (const chunk of await client.chat.completions.create(body, { signal: patience.signal })) {
      wrong ||= chunk.choices[0].delta.content !== job.word;
      if (job.slow && seen % 200 === 0) await sleep(2);
      seen++;
    }
  } catch (problem) {
    raised = named(problem);
  }
  const { socket, before, after } = sockets.get(number);
  sockets.delete(number);
  const lost = job.wire - ((after ?? socket.bytesRead) - before);
  return { lost: wrong || seen > job.chunks ? -1 : lost, raised, seen };
}

async function many(port, job) {
  const seen = [];
  while (seen.length < job.times) {
    const size = job.hang ? Math.min(ROUND, job.times - seen.length) : 1;
    seen.push(...(await Promise.all(Array.from({ length: size }, () => once(port, job)))));
  }
  return seen;
}

async function work(port, queue) {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [number, job] = next;
    process.stdout.write(`${JSON.stringify({ job: number, seen: await many(port, job) })}\n`);
  }
}

let input = "";
for await (const text of process.stdin.setEncoding("utf8")) input += text;
const { port, jobs } = JSON.parse(input);
const hung = [...jobs.entries()].filter(([, job]) => job.hang);
const busy = [...jobs.entries()].filter(([, job]) => !job.hang);
await Promise.all([
  ...Array.from({ length: AT_ONCE.hung }, () => work(port, hung)),
  ...Array.from({ length: AT_ONCE.busy }, () => work(port, busy)),
]);
