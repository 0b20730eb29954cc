import { convertToModelMessages, streamText } from "ai";
import { modelOf } from "../model.js";

export async function POST(request) {
  const { messages, model } = await request.json();
  const answer = streamText({
    model: modelOf(model),
    messages: await convertToModelMessages(messages),
    abortSignal: request.signal, // without it the model writes on for a reader who has left
    maxRetries: 0,
  });
  return answer.toUIMessageStreamResponse({ onError: (error) => error.message ?? String(error) });
}
