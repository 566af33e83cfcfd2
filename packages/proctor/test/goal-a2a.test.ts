// A goal that is an agent, behind A2A: the official client asks for it, approves its plan, and gets what it yields.
import { randomUUID } from "node:crypto";
import { ClientFactory, JsonRpcTransportFactory, type Client } from "@a2a-js/sdk/client";
import { Role, TaskState, type Part, type Task } from "@a2a-js/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "./support/eventually.ts";
import { serveHub, type RunningHub } from "./support/serve-hub.ts";

const YAML = `
agents:
  - name: echo
    address: "text+stdio:cat"
  - name: team
    address: "goal+builtin:goal"
    description: Says things twice, after somebody has agreed.
    options:
      approve_plan: true
      plan:
        tasks:
          - {id: once, agent: echo, description: "\${goal}"}
          - {id: twice, agent: echo, description: "\${tasks.once.output} and \${tasks.once.output}"}
        output: {said: "\${tasks.twice.output}"}
`;

let hub: RunningHub;
let client: Client;

beforeAll(async () => {
  hub = await serveHub({ yaml: YAML, open: true });
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory()] });
  client = await factory.createFromUrl(`${hub.url}/a2a/team/.well-known/agent-card.json`, "");
});

const empty = { metadata: undefined, filename: "", mediaType: "" };
const text = (value: string): Part => ({ content: { $case: "text", value }, ...empty });
const data = (value: object): Part => ({ content: { $case: "data", value }, ...empty });

async function send(part: Part, taskId = ""): Promise<Task> {
  const message = {
    messageId: randomUUID(),
    contextId: "",
    taskId,
    role: Role.ROLE_USER,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const answer = await client.sendMessage({
    tenant: "",
    message,
    configuration: undefined,
    metadata: undefined,
  });
  // A goal has steps to wait for, and so is a task, never a lone message.
  return answer as Task;
}

describe("a goal behind A2A", { timeout: HANG_MS }, () => {
  it("asks its client to approve the plan, and completes when it does", async () => {
    const asked = await send(text("hello"));
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
    const said = JSON.stringify(asked.status?.message);
    expect(said).toContain("Carry out this plan of 2 tasks for: hello");

    // Words approve nothing.
    await expect(send(text("go ahead"), asked.id)).rejects.toThrow("no answer to the task's question");

    const done = await send(data({ question_id: "plan", option: "allow" }), asked.id);
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(JSON.stringify(done.artifacts)).toContain("hello and hello");
    const goal = await hub.send("GET", `/goals/${asked.id}`);
    expect(await goal.json()).toMatchObject({ status: "completed", counts: { completed: 2 } });
  });

  it("fails when its client does not approve the plan", async () => {
    const asked = await send(text("nothing"));
    const done = await send(data({ question_id: "plan", option: "deny" }), asked.id);
    expect(done.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    const goal = await hub.send("GET", `/goals/${asked.id}`);
    expect(await goal.json()).toMatchObject({ failure: { code: "PLAN_FAILED" }, counts: { completed: 0 } });
  });
});
