// The same tasks on /ap/v1, /api and /ws at the same time.
import { afterEach, expect, it } from "vitest";
import {
  eventsOf,
  openStage,
  type Stage,
} from "../../../../../test/support/agent-protocol/surfaces-server.ts";
import { createOfficialClient } from "../../../../../test/support/agent-protocol/official-client.ts";

let stage: Stage;

afterEach(() => stage.close());

/** What these tests look at. */
interface Answer {
  step_id?: string;
  agent?: { id: string };
  tasks?: object[];
}

async function api(method: string, path: string, body?: object): Promise<Answer> {
  const init = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await fetch(`${stage.url}/api/tasks${path}`, { method, ...init });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  // Whatever else is there is held to its form elsewhere.
  return text === "" ? {} : (JSON.parse(text) as Answer);
}

it("a task of one surface is worked on through the other, and /ws shows both", async () => {
  stage = await openStage();
  const client = createOfficialClient(stage.url);
  const watcher = await stage.connect();
  await watcher.subscribe("*");
  const { task_id: task } = await client.createTask({
    input: "asked officially",
    additional_input: { a: 1 },
  });
  expect(await api("GET", `/${task}`)).toMatchObject({
    task_id: task,
    input: "asked officially",
    additional_input: { a: 1 },
    status: "running",
  });
  const { step_id: step = "" } = await api("POST", `/${task}/steps`, {
    name: "by a worker",
    input: { action: "read" },
  });
  const waiting = client.executeStep(task);
  await api("PATCH", `/${task}/steps/${step}`, { status: "running" });
  await api("PATCH", `/${task}/steps/${step}`, {
    status: "completed",
    output: { n: 1 },
    is_last: true,
  });
  expect(await waiting).toMatchObject({ step_id: step, output: '{"n":1}', is_last: true });
  await client.upload(task, "late.txt", "late");
  expect((await api("GET", "")).tasks).toMatchObject([
    { task_id: task, status: "completed", artifacts: [{ file_name: "late.txt" }] },
  ]);
  await api("DELETE", `/${task}`);
  await watcher.until(({ type }) => type === "task.deleted");
  expect((await client.send("GET", `/ap/v1/agent/tasks/${task}`)).status).toBe(404);
  expect(eventsOf(watcher.told, task).map(({ type }) => type)).toEqual([
    "task.created",
    "task.started",
    "step.created",
    "step.started",
    "step.completed",
    "task.completed",
    "artifact.created",
    "task.deleted",
  ]);
});

it("an agent's task that was created on /api is stepped through officially", async () => {
  stage = await openStage({ withAgent: true });
  const client = createOfficialClient(stage.url);
  const { agent } = await api("POST", "", { task: "asked on /api" });
  const task = agent?.id ?? "";
  const session = await stage.driver.session(0);
  session.event("tool_call", { tool: "search", status: "success", output: { hits: 2 } });
  expect(await client.executeStep(task)).toMatchObject({ name: "search", output: '{"hits":2}' });
  const last = client.executeStep(task);
  await api("POST", `/${task}/pause`);
  await api("POST", `/${task}/resume`);
  session.end();
  expect(await last).toMatchObject({ name: "Result", is_last: true });
});
