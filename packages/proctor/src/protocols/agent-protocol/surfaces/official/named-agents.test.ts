// Which agent does a task of the official door, and what the hub adds to that door: bounded waiting, cancelling, deleting, warnings.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStage, type Stage } from "../../../../../test/support/agent-protocol/surfaces-server.ts";
import {
  createOfficialClient,
  type OfficialClient,
} from "../../../../../test/support/agent-protocol/official-client.ts";

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
  for (const name of ["writer", "reader"])
    await stage.hub.addAgent({ name, protocol: "atp", transport: "stdio", command: [name] });
});
afterEach(() => stage.close());

describe.each([
  ["/ap/writer/v1", "/v1"],
  ["/ap/writer/ap/v1", "/ap/v1"],
])("%s", (_, suffix) => {
  const base = `/ap/writer${suffix}/agent/tasks`;

  it("serves that agent, with its tasks and no others", async () => {
    const client = createOfficialClient(stage.url, base);
    const { task_id: task } = await client.createTask({ input: "write" });
    const step = client.executeStep(task);
    const session = await stage.driver.session(0);
    expect(session.job.spec.command).toEqual(["writer"]);
    session.end();
    expect((await step).is_last).toBe(true);
    const other = await createOfficialClient(stage.url, base.replace("writer", "reader")).createTask({});
    expect((await client.listTasks()).tasks.map(({ task_id: id }) => id)).toEqual([task]);
    expect((await client.listTasks()).pagination.total_items).toBe(1);
    expect((await client.send("GET", `${base}/${other.task_id}`)).status).toBe(404);
    expect((await client.send("POST", `${base}/${other.task_id}/steps`)).status).toBe(404);
  });
});

it("our driver drives a named agent of the hub like any server of the protocol", async () => {
  const { run } = await stage.hub.prepare({ agent: "writer", task: { description: "x" } });
  expect(run.agent).toBe("writer");
  const client = createOfficialClient(stage.url, "/ap/writer/ap/v1/agent/tasks");
  expect((await client.getTask(run.id)).task_id).toBe(run.id);
});

it("the official API takes the agent from additional_input, and refuses an unknown one with the nearest name", async () => {
  const client = createOfficialClient(stage.url);
  const { task_id: task } = await client.createTask({ input: "read", additional_input: { agent: "reader" } });
  expect((await stage.hub.run(task)).agent).toBe("reader");
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ input: "x", additional_input: { agent: "raeder" } });
  const wrong = await client.send("POST", "/ap/v1/agent/tasks", { headers: json, body });
  expect(wrong).toMatchObject({ status: 404, body: { code: "AGENT_NOT_FOUND" } });
  expect(wrong.body["message"]).toContain('did you mean "reader"?');
  for (const path of ["/ap/wirter/v1/agent/tasks", "/ap/wirter/ap/v1/agent/tasks"]) {
    const asked = await client.send("POST", path, { headers: json, body: "{}" });
    expect(asked).toMatchObject({ status: 404, body: { code: "AGENT_NOT_FOUND" } });
    expect(asked.body["message"]).toContain('did you mean "writer"?');
  }
  const contrary = await client.send("POST", "/ap/writer/v1/agent/tasks", {
    headers: json,
    body: JSON.stringify({ additional_input: { agent: "reader" } }),
  });
  expect(contrary.status).toBe(422);
});

describe("a long step on the official API", () => {
  let client: OfficialClient;
  let task: string;

  beforeEach(async () => {
    client = createOfficialClient(stage.url, "/ap/writer/v1/agent/tasks");
    ({ task_id: task } = await client.createTask({ input: "slowly" }));
  });

  it("is answered as it is after the time the client waits, and given once when it is over", async () => {
    const pending = await client.executeStep(task, undefined, "?wait=0.05");
    expect(pending).toMatchObject({ is_last: false, output: null });
    const session = await stage.driver.session(0);
    session.event("progress", { message: "one" });
    await stage.until(task, ({ type }) => type === "progress");
    // A client that asks for the step it was shown has been given it: the next is another.
    expect(await client.getStep(task, pending.step_id)).toMatchObject({ output: "one" });
    const next = client.executeStep(task);
    session.event("progress", { message: "two" });
    expect(await next).toMatchObject({ output: "two" });
    expect(await client.executeStep(task, undefined, "?wait=0.05")).toMatchObject({ output: null });
    session.event("progress", { message: "three" });
    expect(await client.executeStep(task)).toMatchObject({ output: "three" });
    session.end();
    expect((await client.executeStep(task)).is_last).toBe(true);
  });

  it.each(["-1", "601", "soon", "1e2", ""])("cannot be asked for with ?wait=%s", async (wait) => {
    const path = `/ap/v1/agent/tasks/${task}/steps?wait=${wait}`;
    expect((await client.send("POST", path)).status).toBe(422);
  });

  it("is not found under an id that was never given out", async () => {
    const get = async (id: string): Promise<number> =>
      (await client.send("GET", `/ap/v1/agent/tasks/${task}/steps/${id}`)).status;
    expect([await get(`${task}-step-0`), await get(`${task}-step-50`)]).toEqual([404, 404]);
    const { step_id: id } = await client.executeStep(task, undefined, "?wait=0");
    expect([await get(id), await get(`${task}-step-1`)]).toEqual([200, 404]);
    (await stage.driver.session(0)).end();
    await stage.ended(task);
    expect([await get(id), await get(`${task}-step-999999`)]).toEqual([200, 404]);
  });

  it("names what of the request was not used", async () => {
    const asked = client.executeStep(task, { input: "y" });
    const session = await stage.driver.session(0);
    session.event("progress", { message: "one" });
    expect((await asked).additional_output).toMatchObject({
      warnings: [expect.stringContaining("input of the step is not used")],
    });
    session.end();
    await stage.ended(task);
    expect((await client.executeStep(task)).additional_output).not.toHaveProperty("warnings");
  });

  it("ends when its task is cancelled or deleted", async () => {
    const step = client.executeStep(task);
    const session = await stage.driver.session(0);
    const path = `/ap/v1/agent/tasks/${task}`;
    const headers = { "content-type": "application/json" };
    const cancelled = await client.send("POST", `${path}/cancel`, {
      headers,
      body: JSON.stringify({ reason: "out of time" }),
    });
    expect(cancelled).toMatchObject({ status: 200, body: { task_id: task, status: "cancelled" } });
    expect(session.signals.cancel.aborted).toBe(true);
    expect((await step).is_last).toBe(true);
    expect((await stage.hub.run(task)).failure?.message).toContain("out of time");
    expect((await client.send("POST", `${path}/cancel`)).status).toBe(200);
    expect((await client.send("DELETE", path)).status).toBe(204);
    expect((await client.send("DELETE", path)).status).toBe(404);
  });
});

it("the official API does not wait forever for a task of /api that nobody works on", async () => {
  const { run } = await stage.hub.openClientRun({ task: { description: "by hand" } });
  const client = createOfficialClient(stage.url);
  expect(await client.executeStep(run.id, undefined, "?wait=0.05")).toMatchObject({ is_last: false });
});
