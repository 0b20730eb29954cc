/** The page: what is typed -> a conversation. Each answer is shown as it comes, and its end as it was. */

import { answer } from "./answer.js";
import { Shown, question } from "./shown.js";

const where = fetch("config.json").then((answer) => answer.json()); // nothing waits for it but the first question
const [conversation, form, field] = ["conversation", "ask", "question"].map((id) => document.getElementById(id));
const [send, stop] = form.querySelectorAll("button");
const turns = []; // {asked, text}: what has been said so far
let stopping;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = field.value.trim();
  if (!asked || stopping) return;
  form.reset();
  const turn = { asked, text: "", shown: new Shown(() => ask(turn)) };
  turns.push(turn);
  conversation.append(question(asked), turn.shown.article);
  ask(turn);
});

field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

stop.addEventListener("click", () => stopping?.abort());

/** Asked again, a turn begins anew: what a broken answer had shown goes, so that nothing is there twice. */
async function ask(turn) {
  if (stopping) return;
  stopping = new AbortController();
  busy(true);
  turn.text = "";
  turn.shown.begin();
  for await (const piece of answer({ where, messages: messagesTo(turn), signal: stopping.signal })) {
    turn.text += piece.text ?? piece.refusal ?? "";
    turn.shown.add(piece);
    conversation.scrollTop = conversation.scrollHeight;
  }
  stopping = undefined;
  busy(false);
}

function messagesTo(turn) {
  const before = turns.slice(0, turns.indexOf(turn)).flatMap(({ asked, text }) => [
    { role: "user", content: asked },
    { role: "assistant", content: text },
  ]);
  return [...before, { role: "user", content: turn.asked }];
}

function busy(on) {
  send.hidden = on;
  stop.hidden = !on;
  if (!on) field.focus();
}
