"use client";

import { useChat } from "@ai-sdk/react";
import { useEffect, useState } from "react";

export default function Page() {
  const { messages, sendMessage, stop, status, error } = useChat({ experimental_throttle: 50 });
  const [models, setModels] = useState(["echo"]);
  const [model, setModel] = useState("echo");
  const [text, setText] = useState("");
  const busy = status === "submitted" || status === "streaming";

  useEffect(() => {
    fetch("/api/models").then((answer) => answer.json()).then(setModels);
  }, []);

  function send(event) {
    event.preventDefault();
    sendMessage({ text }, { body: { model } });
    setText("");
  }

  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, place) => <Part key={place} part={part} />)}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <p role="status">{status}</p>
      <form onSubmit={send}>
        <select aria-label="Model" value={model} onChange={(event) => setModel(event.target.value)}>
          {models.map((name) => <option key={name}>{name}</option>)}
        </select>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button disabled={busy || !text}>Send</button>
        <button type="button" onClick={stop} disabled={!busy}>Stop</button>
      </form>
    </main>
  );
}

function Part({ part }) {
  if (part.type === "reasoning") return <em>{part.text}</em>;
  return part.type === "text" ? part.text : null;
}
