/** `test`, with a session of the server for each test, which the page takes for its model. */

import { test as plain } from "@playwright/test";
import { connect } from "../../helper/fakeserver.mjs";

export { expect } from "@playwright/test";

export const test = plain.extend({
  fakeserverURL: ["", { option: true }],

  fakeserver: async ({ fakeserverURL, page }, use, testInfo) => {
    const session = connect(fakeserverURL).session();
    const json = { baseURL: session.baseURL, model: "gpt-5" };
    await page.route("**/config.json", (route) => route.fulfill({ json }));
    await use(session);
    const failed = testInfo.status !== testInfo.expectedStatus;
    if (failed) await testInfo.attach("fakeserver", { body: await session.explain() });
    await session.drop();
  },
});
