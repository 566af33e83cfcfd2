// Tasks for an agent, directly or through the hub: so many at once, each answered to its end.
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

export interface AgentLoad {
  port: number;
  path: string;
  tasks: number;
  concurrency: number;
}

export async function sendTasks({ port, path, tasks, concurrency }: AgentLoad): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let left = tasks;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await sendTask(port, path, agent);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  agent.destroy();
}

function sendTask(port: number, path: string, agent: Agent): Promise<void> {
  const body = JSON.stringify({
    version: "1.0",
    task_id: randomUUID(),
    task: { description: "Find top 5 competitors for Slack" },
  });
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        text.includes('"status":"completed"')
          ? resolve()
          : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    sent.on("error", reject).end(body);
  });
}

/** Registers the agent at this port under the name `bare`. */
export async function register(hubPort: number, agentPort: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${hubPort}/agents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "bare", address: `atp+http://127.0.0.1:${agentPort}` }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
