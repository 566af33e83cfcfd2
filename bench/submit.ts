// Creates runs of a hub over HTTP, for benchmarks that do not measure their creation.

/** Creates a run and resolves with its id. */
export async function submit(url: string, agent: string, description: string): Promise<string> {
  const response = await fetch(`${url}/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent, task: { description } }),
  });
  if (response.status !== 202) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}

/** Resolves when the run has ended, because its stream ends with it. */
export async function ended(url: string, id: string): Promise<void> {
  const headers = { accept: "text/event-stream" };
  const response = await fetch(`${url}/runs/${id}/events`, { headers });
  for await (const _ of response.body ?? []);
}
