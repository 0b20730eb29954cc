const { env } = process;

/** The names of the models that can be picked. */
export async function GET() {
  const headers = { authorization: `Bearer ${env.OPENAI_API_KEY}` };
  const { data } = await (await fetch(`${env.OPENAI_BASE_URL}/models`, { headers })).json();
  return Response.json(data.map(({ id }) => id));
}

export const dynamic = "force-dynamic"; // asked for each time, not once while the app is built
