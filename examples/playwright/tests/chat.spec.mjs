import { expect, test } from "./fakeserver.mjs";

async function ask(page, question = "Hi") {
  if (page.url() === "about:blank") await page.goto("/");
  await page.getByRole("textbox", { name: "Your message" }).fill(question);
  await page.getByRole("button", { name: "Send" }).click();
  return page.getByRole("article", { name: "Model" }).last();
}

const HELD = `
  stream:
    - {role: assistant, say: [Half, " of it"]}
    - gate: half
    - {say: ", and the rest.", finish: stop}
    - done
`;

test("an answer is shown", async ({ page, fakeserver }) => {
  await fakeserver.use("hello");
  const answer = await ask(page);
  await expect(answer).toHaveText("Hello there.");
  await expect(answer).toHaveAttribute("aria-busy", "false");
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
});

test("the half of it is shown while the rest is not there yet", async ({ page, fakeserver }) => {
  await fakeserver.script(HELD);
  const answer = await ask(page);
  await fakeserver.gate("half").wait();
  await expect(answer).toHaveText("Half of it");
  await expect(answer).toHaveAttribute("aria-busy", "true");
  await fakeserver.gate("half").release();
  await expect(answer).toHaveText("Half of it, and the rest.");
  await expect(answer).toHaveAttribute("aria-busy", "false");
});

test("a refusal is shown as one", async ({ page, fakeserver }) => {
  await fakeserver.script("reply: {refuse: [I cannot, ' help with that.']}");
  const answer = await ask(page);
  await expect(answer.getByRole("note", { name: "Refusal" })).toHaveText("I cannot help with that.");
  await expect(answer.getByRole("alert")).toHaveCount(0);
});

test("a tool call is shown", async ({ page, fakeserver }) => {
  await fakeserver.use("tool-call");
  const answer = await ask(page);
  await expect(answer.getByRole("group", { name: "Call of get_weather" })).toContainText('{"city":"Paris"}');
});

for (const end of ["end", "close", "reset"]) {
  test(`an answer that is cut off is marked: ${end}`, async ({ page, fakeserver }) => {
    await fakeserver.script(HELD);
    const answer = await ask(page);
    await expect(answer).toHaveText("Half of it");
    await fakeserver.gate("half").release(end);
    await expect(answer.getByRole("alert")).toContainText("Cut off.");
    await expect(answer).toContainText("Half of it");
    await fakeserver.assertWellBehaved({ outcome: "truncated", shown: "Half of it" });
  });
}

test("an error in the middle is told, and the text is kept", async ({ page, fakeserver }) => {
  await fakeserver.script("reply: {say: Half of it, fail: {message: The model is on fire., type: server_error}}");
  const answer = await ask(page);
  await expect(answer.getByRole("alert")).toContainText("Failed. The model is on fire.");
  await expect(answer).toContainText("Half of it");
});

test("an answer that is cut short by its length says so", async ({ page, fakeserver }) => {
  await fakeserver.script("reply: {say: One two, finish: length}");
  const answer = await ask(page);
  await expect(answer.getByRole("status")).toContainText("greatest length");
});

test("stop leaves, and the server sees it", async ({ page, fakeserver }) => {
  await fakeserver.script(HELD);
  const answer = await ask(page);
  await expect(answer).toHaveText("Half of it");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(answer.getByRole("status")).toHaveText("Stopped.");
  await expect(answer).toContainText("Half of it");
  await fakeserver.verify({ ended: "gone", count: 1 });
});

test("tried again, nothing is there twice", async ({ page, fakeserver }) => {
  await fakeserver.script(`
    attempts:
      - respond: {error: overloaded}
      - stream: [{role: assistant, say: [The, " whole"]}, {gate: half}, reset]
      - reply: The whole answer.
  `);
  const answer = await ask(page);
  await expect(answer.getByRole("alert")).toContainText("Failed.");
  await answer.getByRole("button", { name: "Try again" }).click();
  await expect(answer).toHaveText("The whole");
  await fakeserver.gate("half").release();
  await expect(answer.getByRole("alert")).toContainText("Cut off.");
  await answer.getByRole("button", { name: "Try again" }).click();
  await expect(answer).toHaveText("The whole answer.");
  await expect(await ask(page, "And now?")).toHaveText("The whole answer.");
  const said = (await fakeserver.requests(1)).map(({ body }) => JSON.parse(body).messages.map(({ content }) => content));
  expect(said).toEqual([["Hi"], ["Hi"], ["Hi"], ["Hi", "The whole answer.", "And now?"]]);
});

test("what was said goes with the next question", async ({ page, fakeserver }) => {
  await fakeserver.use("hello");
  await expect(await ask(page)).toHaveText("Hello there.");
  await expect(await ask(page, "And now?")).toHaveText("Hello there.");
  const [, second] = await fakeserver.requests(1);
  expect(JSON.parse(second.body).messages).toEqual([
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello there." },
    { role: "user", content: "And now?" },
  ]);
});

test("a question may come before the page knows where its model is", async ({ page, fakeserver }) => {
  await fakeserver.use("hello");
  let isAsked;
  const asked = new Promise((resolve) => (isAsked = resolve));
  await page.route("**/config.json", (route) => asked.then(() => route.fallback()));
  const answer = await ask(page);
  isAsked();
  await expect(answer).toHaveText("Hello there.");
});

test("a model that cannot be reached is no answer that was cut off", async ({ page, fakeserver }) => {
  await page.route(`${fakeserver.baseURL}/**`, (route) => route.abort());
  const answer = await ask(page);
  await expect(answer.getByRole("alert")).toContainText("Failed. The model cannot be reached.");
});
