// Cases as `fakeserver conform` gives them -> outcomes as it reads them. The same as loop.py, for Node.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { Fold } from "./fold.mjs";

// The clients are installed beside their package.json, not beside the adapters.
export const installed = createRequire(new URL("../node/package.json", import.meta.url));

export const body = (asked) => ({
  model: asked.model,
  messages: [{ role: "user", content: "Hello" }],
  stream: true,
  stream_options: { include_usage: true },
});

// An error that a client gives to its caller without throwing it, or that a reader by hand finds.
export class Told extends Error {
  constructor(name, message, error) {
    super(message);
    this.told = name;
    this.error = error;
  }
}

const isSaid = (error) => typeof error === "string" || (typeof error === "object" && error !== null);

function raised(problem) {
  const name = problem?.told ?? problem?.constructor?.name ?? typeof problem;
  const message = String(problem?.message ?? problem);
  const cause = problem?.cause?.constructor?.name;
  const said = isSaid(problem?.error) ? { error: problem.error } : {};
  return { class: name, message: cause === "SyntaxError" ? `${cause}: ${message}` : message, ...said };
}

async function answer(asked, ask) {
  const fold = new Fold();
  let problem = null;
  try {
    await ask(asked, fold);
  } catch (thrown) {
    problem = raised(thrown);
  }
  return { case: asked.case, ...fold.outcome(), raised: problem };
}

export async function run(ask) {
  const tell = (outcome) => process.stdout.write(`${JSON.stringify(outcome)}\n`);
  console.log = console.info = console.error; // what a client prints must not get among the outcomes
  const { FAKESERVER_BASE_URL: base_url, FAKESERVER_CASE: name, FAKESERVER_TIME_LIMIT: limit } = process.env;
  if (base_url) {
    tell(await answer({ case: name, base_url, model: name, time_limit: Number(limit) }, ask));
    return;
  }
  const asked = [];
  for await (const line of createInterface({ input: process.stdin })) asked.push(answer(JSON.parse(line), ask).then(tell));
  await Promise.all(asked);
}
