/** A back end in front of a model: each piece is passed on as it comes, and the end as it was. `node proxy.mjs PORT` */

import { createServer } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
const PASSED_ON = ["content-type", "retry-after", "x-request-id"];
const UNBUFFERED = { "cache-control": "no-cache", "x-accel-buffering": "no" }; // the second is for an nginx in front

async function chat(request, response) {
  const left = new AbortController();
  response.on("close", () => left.abort()); // even while the model has not answered yet
  const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${OPENAI_API_KEY}` },
    body: await buffer(request),
    signal: left.signal,
  });
  const passedOn = PASSED_ON.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name)]] : []));
  response.writeHead(answer.status, { ...UNBUFFERED, ...Object.fromEntries(passedOn) });
  response.flushHeaders();
  await pipeline(Readable.fromWeb(answer.body), response); // breaks the response off where the answer is broken off
}

const server = createServer((request, response) => {
  chat(request, response).catch(() => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1");
