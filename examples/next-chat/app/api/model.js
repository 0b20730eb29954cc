import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

const { env } = process;

/** The model of this name, wherever the environment says that models are. */
export function modelOf(name) {
  const provider = createOpenAICompatible({ name: "model", baseURL: env.OPENAI_BASE_URL, apiKey: env.OPENAI_API_KEY });
  return provider(name);
}
