/** `test`, with a session of the server for each test. */

import { inject, test as plain } from "vitest";
import { connect, type Session } from "../../helper/fakeserver.mjs";

export const test = plain.extend<{ fakeserver: Session }>({
  fakeserver: async ({}, use) => {
    const session = connect(inject("fakeserver")).session();
    await use(session);
    await session.drop();
  },
});
