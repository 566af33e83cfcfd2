// Tasks that an agent does: steps appear by themselves, and clients can stop them but not write them.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createScriptedDriver,
  type ScriptedDriver,
  type ScriptedSession,
} from "../../../../../test/support/scripted-driver.ts";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

const AGENT = "atp+stdio:agent";
let driver: ScriptedDriver;
let api: ApiServer;

beforeEach(async () => {
  driver = createScriptedDriver();
  api = await openApiServer({ driver, defaultAgent: AGENT });
});
afterEach(() => api.close());

async function started(index = 0): Promise<{ id: string; agent: ScriptedSession }> {
  const id = await api.newTask("use tools");
  return { id, agent: await driver.session(index) };
}

interface Shown {
  step_id: string;
  name: string;
  status: string;
  owner: string;
  is_last: boolean;
}

const steps = async (id: string): Promise<Shown[]> =>
  (await api.send("GET", `/api/tasks/${id}/steps`)).body.steps;

describe("a task with an agent on /api", () => {
  it("is done by it, and its steps appear by themselves", async () => {
    const { id, agent } = await started();
    agent.event("tool_call", {
      tool: "read_file",
      input: { path: "a" },
      output: { text: "b" },
      status: "success",
    });
    agent.event("llm_request", { model: "m", input_tokens: 10, output_tokens: 5, cost_usd: 0.25 });
    agent.end();
    await api.test.ended(id);
    const shown = await steps(id);
    expect(shown.map(({ name, status, owner, is_last }) => [name, status, owner, is_last])).toEqual([
      ["read_file", "completed", "executor", false],
      ["Model call: m", "completed", "executor", false],
      ["Result", "completed", "executor", true],
    ]);
    expect(shown.at(-1)).toMatchObject({
      additional_output: { task_total_cost: 0.25, task_total_tokens: 15 },
    });
    const { body } = await api.send("GET", `/api/tasks/${id}`);
    expect(body).toMatchObject({ status: "completed", task: { status: "COMPLETED", agent: AGENT } });
    expect(body.task.cycles).toHaveLength(3);
  });

  it("is running from the first moment, even while it is queued", async () => {
    const { id } = await started();
    expect((await api.send("GET", `/api/tasks/${id}`)).body.status).toBe("running");
  });

  it("has its events in the document's words, once each, in order", async () => {
    const { id, agent } = await started();
    const following = api.events(id);
    agent.event("tool_call", { tool: "t", call_id: "1", status: "started" });
    agent.event("tool_call", { tool: "t", call_id: "1", status: "success", output: 1 });
    agent.event("error", { message: "something went wrong" });
    agent.push({ kind: "event", event: { type: "reasoning", payload: { thought: "I think" } } });
    agent.end();
    const events = await following;
    expect(events.map(({ type }) => type)).toEqual([
      "task.created",
      "task.started",
      "step.created",
      "step.started",
      "step.completed",
      "log",
      "step.created",
      "step.completed",
      "step.created",
      "step.completed",
      "task.completed",
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events[5]).toMatchObject({ task_id: id, data: "something went wrong" });
    const [, , created, , completed] = events;
    expect(created?.step_id).toBe(completed?.step_id);
    const { body } = await api.send("GET", `/api/tasks/${id}`);
    expect(body.task.memories).toMatchObject([{ content: "I think" }]);
  });

  it("refuses steps of clients with 409", async () => {
    const { id, agent } = await started();
    agent.event("progress", { message: "working" });
    await api.test.until(id, ({ type }) => type === "progress");
    const [step] = await steps(id);
    const added = await api.send("POST", `/api/tasks/${id}/steps`, { json: { name: "mine" } });
    const changed = await api.send("PATCH", `/api/tasks/${id}/steps/${step?.step_id}`, {
      json: { status: "failed" },
    });
    expect([added.status, changed.status]).toEqual([409, 409]);
    expect(changed.body.message).toContain("no client can change it");
    expect((await steps(id)).map(({ name }) => name)).toEqual(["working"]);
  });

  it("takes files of clients for its steps, even when it is over", async () => {
    const { id, agent } = await started();
    agent.event("progress", { message: "working" });
    agent.end();
    await api.test.ended(id);
    const [step] = await steps(id);
    const { status, body } = await api.upload(id, step?.step_id ?? "", "note");
    expect([status, body.agent_created]).toEqual([201, false]);
  });

  it("shows what the agent made with its result", async () => {
    const { id, agent } = await started();
    agent.push({
      kind: "artifact",
      artifact: { type: "file", path: "out/a.txt", content: Buffer.from("made") },
    });
    agent.end();
    await api.test.ended(id);
    const result = (await steps(id)).at(-1);
    const { body } = await api.send("GET", `/api/tasks/${id}/steps/${result?.step_id}/artifacts`);
    expect(body.artifacts).toMatchObject([
      { file_name: "a.txt", relative_path: "out/a.txt", agent_created: true, uri: null },
    ]);
    const path = `/api/tasks/${id}/steps/${result?.step_id}/artifacts/${body.artifacts[0].artifact_id}/download`;
    expect((await api.send("GET", path)).body).toBe("made");
  });

  it("is stopped by cancel before that is answered, and what ran has failed", async () => {
    const { id, agent } = await started();
    agent.event("tool_call", { tool: "slow", call_id: "1", status: "started" });
    await api.test.until(id, ({ type }) => type === "tool_call");
    const { status, body } = await api.send("POST", `/api/tasks/${id}/cancel`);
    expect([status, body]).toEqual([200, { task_id: id, status: "cancelled" }]);
    expect(agent.signals.kill.aborted || agent.signals.cancel.aborted).toBe(true);
    expect((await steps(id)).map((step) => step.status)).toEqual(["failed", "failed"]);
    expect((await api.send("POST", `/api/tasks/${id}/cancel`)).status).toBe(200);
  });

  it("is paused and resumed with its agent", async () => {
    const { id, agent } = await started();
    await api.test.until(id, ({ type }) => type === "run.started");
    expect((await api.send("POST", `/api/tasks/${id}/pause`)).body.status).toBe("paused");
    expect(agent.paused).toBe(true);
    expect((await api.send("POST", `/api/tasks/${id}/resume`)).body.status).toBe("running");
    // Its agent goes on when that is in the log, which the answer does not wait for.
    await expect.poll(() => agent.paused).toBe(false);
  });

  it("is stopped by delete", async () => {
    const { id, agent } = await started();
    expect((await api.send("DELETE", `/api/tasks/${id}`)).status).toBe(204);
    expect(agent.signals.kill.aborted || agent.signals.cancel.aborted).toBe(true);
    expect((await api.send("GET", `/api/tasks/${id}`)).status).toBe(404);
  });
});

it("a client of /api does the work itself, or runs the task on another agent, when it says so", async () => {
  const own = await api.send("POST", "/api/tasks", { json: { task: "mine", agent: null } });
  expect((await api.send("POST", `/api/tasks/${own.body.agent.id}/steps`)).status).toBe(201);
  const other = await api.send("POST", "/api/tasks", { json: { task: "theirs", agent: "atp+stdio:other" } });
  const { job } = await driver.session(0);
  expect(job.spec.command).toEqual(["other"]);
  expect((await api.send("GET", `/api/tasks/${other.body.agent.id}`)).body.task.agent).toBe(
    "atp+stdio:other",
  );
});

it("/api gives the agent additional_input and the workspace", async () => {
  const json = { task: "x", additional_input: { a: 1 }, workspace: "shared" };
  await api.send("POST", "/api/tasks", { json });
  const { job } = await driver.session(0);
  expect(job.task).toMatchObject({ description: "x", input_data: { a: 1 } });
  expect(job.context.workspace_path).toBe(`${api.workspacesRoot}/shared`);
});
