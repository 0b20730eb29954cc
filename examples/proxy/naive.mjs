/** How not to do it: this back end works in every demonstration, and fails each test of test_proxy.py. */

import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;

const server = createServer(async (request, response) => {
  const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${OPENAI_API_KEY}` },
    body: await buffer(request),
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  let said = "";
  try {
    for await (const bytes of answer.body) said += Buffer.from(bytes).toString();
  } catch {
    // the answer ends here
  }
  response.end(said);
});
server.listen(Number(process.argv[2]), "127.0.0.1");
