// openai for Node: iteration over the chunks, or the stream helper.
// node adapters/openai_node.mjs iteration|helper

import { body, installed, run } from "./loop.mjs";

const { OpenAI } = installed("openai");

const client = (asked) =>
  new OpenAI({ apiKey: "any", baseURL: asked.base_url, timeout: asked.time_limit * 1000, logLevel: "off" });

const asking = {
  async iteration(asked, fold) {
    const stream = await client(asked).chat.completions.create(body(asked));
    for await (const chunk of stream) fold.take(chunk);
  },

  async helper(asked, fold) {
    const stream = client(asked).chat.completions.stream(body(asked));
    let snapshot;
    stream.on("chunk", (_, now) => (snapshot = now));
    try {
      snapshot = await stream.finalChatCompletion();
    } finally {
      fold.take(snapshot);
    }
  },
};

await run(asking[process.argv[2]]);
