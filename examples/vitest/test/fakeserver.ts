/** `test`, with a session of the server for each test. */

import { inject, test as plain } from "vitest";
import { connect, type Session } from "../../helper/fakeserver.mjs";

export const test = plain.extend<{ fakeserver: Session }>({
  fakeserver: async ({ task }, use) => {
    const session = connect(inject("fakeserver")).session();
    await use(session);
    if (task.result?.state === "fail") console.log(await session.explain());
    await session.drop();
  },
});
