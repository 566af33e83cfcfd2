// Tasks for an agent, directly or through the hub: a given number at once, each until its answer has ended. The client is Node's fetch.
import { randomUUID } from "node:crypto";

export interface AgentLoad {
  port: number;
  path: string;
  tasks: number;
  concurrency: number;
}

export async function sendTasks({ port, path, tasks, concurrency }: AgentLoad): Promise<void> {
  let left = tasks;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await sendTask(`http://127.0.0.1:${port}${path}`);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

async function sendTask(url: string): Promise<void> {
  const body = JSON.stringify({
    version: "1.0",
    task_id: randomUUID(),
    task: { description: "Find top 5 competitors for Slack" },
  });
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const text = await answer.text();
  if (!text.includes('"status":"completed"')) throw new Error(`${answer.status}: ${text}`);
}

/** Registers the agent on the given port under the name `bare`. */
export async function register(hubPort: number, agentPort: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${hubPort}/agents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "bare", address: `atp+http://127.0.0.1:${agentPort}` }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
