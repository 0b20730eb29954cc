/** The form -> a request to the model, and its answer as it comes: fetch and a reader alone, no library. */

const base = new URLSearchParams(location.search).get("base") ?? "http://127.0.0.1:8437/v1";
const form = document.querySelector("form");
const [answer, status] = ["article", "[role=status]"].map((one) => document.querySelector(one));
let asking = new AbortController();

const { data } = await (await fetch(`${base}/models`)).json();
form.model.list.append(...data.map(({ id }) => new Option(id, id))); // a name that is not among them can be typed
status.textContent = "ready";

form.querySelector("[type=button]").addEventListener("click", () => asking.abort());
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  asking.abort();
  asking = new AbortController();
  answer.textContent = "";
  status.textContent = "asking";
  try {
    for await (const chunk of chunksOf(form.model.value, form.text.value, asking.signal)) {
      answer.textContent += chunk.choices[0]?.delta.content ?? "";
    }
    status.textContent = "complete";
  } catch (problem) {
    status.textContent = problem.name === "AbortError" ? "stopped" : `failed: ${problem.message}`;
  }
});

/** The chunks of one answer. Throws where the answer is refused, fails, or ends before its end marker. */
async function* chunksOf(model, text, signal) {
  const messages = [{ role: "user", content: text }];
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer any" },
    body: JSON.stringify({ model, stream: true, messages }),
    signal,
  });
  if (!response.ok) throw new Error((await response.json()).error.message);
  for await (const event of eventsOf(response.body)) {
    if (event === "[DONE]") return;
    const chunk = JSON.parse(event);
    if (chunk.error) throw new Error(chunk.error.message);
    yield chunk;
  }
  throw new Error("the answer was cut off");
}

/** The data of each server-sent event, however its bytes are cut. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const events = (kept + read.value).replaceAll("\r\n", "\n").split("\n\n");
    kept = events.pop();
    for (const event of events) {
      const lines = event.split("\n").filter((line) => line.startsWith("data:"));
      if (lines.length) yield lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
    }
  }
}
