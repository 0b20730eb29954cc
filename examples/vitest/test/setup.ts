/** One server for the whole run: its address is provided to the tests, which run in processes of their own. */

import type { TestProject } from "vitest/node";
import { start } from "../../helper/fakeserver.mjs";

declare module "vitest" {
  interface ProvidedContext {
    fakeserver: string;
  }
}

export default async function setup({ provide }: TestProject) {
  const server = await start();
  provide("fakeserver", server.url);
  return () => server.stop();
}
