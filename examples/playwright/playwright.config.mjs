import { existsSync } from "node:fs";
import { chromium, defineConfig } from "@playwright/test";

const { FAKESERVER_COMMAND = "fakeserver", FAKESERVER_PORT = "8437", APP_PORT = "4010", CI } = process.env;
const fakeserverURL = `http://127.0.0.1:${FAKESERVER_PORT}`;
const baseURL = `http://127.0.0.1:${APP_PORT}`;
const gracefulShutdown = { signal: "SIGTERM", timeout: 2000 };

const SYSTEM = "/usr/bin/chromium";

/** Playwright's own browser is undefined here: the system's is for those who have not installed it. */
function browser() {
  const own = existsSync(chromium.executablePath()) || !existsSync(SYSTEM);
  return process.env.FAKESERVER_TEST_BROWSER ?? (own ? undefined : SYSTEM);
}

export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  workers: 2, // on one server: each test has a session of its own
  forbidOnly: Boolean(CI),
  expect: { timeout: 10_000 }, // milliseconds: a busy machine is slow
  reporter: "list",
  use: {
    baseURL,
    fakeserverURL,
    launchOptions: { executablePath: browser() }, // as root, Playwright itself adds --no-sandbox
  },
  webServer: [
    {
      command: `"${FAKESERVER_COMMAND}" serve --port ${FAKESERVER_PORT}`,
      url: `${fakeserverURL}/_fakeserver/health`,
      reuseExistingServer: !CI,
      gracefulShutdown,
    },
    { command: "node server.mjs", url: baseURL, reuseExistingServer: !CI, gracefulShutdown },
  ],
});
