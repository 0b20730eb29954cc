/** What TypeScript makes of the helper: read by `tsc`, never run. */

import { connect, FakeServerError, start, type Request, type Session } from "../../examples/helper/fakeserver.mjs";

const session: Session = connect("http://127.0.0.1:8437", "token").session();
const server = await start("scenarios", "--speed", "instant");
const address: string = server.url;
const name: string = await session.script("reply: Hi");
const reached: number = await session.gate("half").wait("250ms");
const released: number = await session.gate("half").release({ error: "overloaded" });
const requests: Request[] = await session.requests();
const ended: "complete" | "ended" | "gone" | "stopped" | "broken" | "in flight" = requests[0].ended;
const codes: string[] = (await session.verdict({ outcome: "complete", shown: "Hi" })).map(({ code }) => code);
const problem: Error = new FakeServerError("no answer", { code: "unknown-scenario" });

// @ts-expect-error there is no such end
await session.gate("half").release("rest");
// @ts-expect-error a name is needed
await session.enqueue();
// @ts-expect-error there is no such outcome
await session.verdict({ outcome: "whole" });
// @ts-expect-error there is no such speed
await session.speed("fast");
// @ts-expect-error a misspelt key
await session.verify({ cuont: 1 });
// @ts-expect-error it is a text
const how: number = requests[0].how;
// @ts-expect-error it is a number
const now: string = await session.clock.advance("1s");

export { address, codes, ended, how, name, now, problem, reached, released };
