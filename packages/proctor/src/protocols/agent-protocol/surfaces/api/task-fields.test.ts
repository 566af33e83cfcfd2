// What `/api` adds to document 003: filters, fields of a task, files before the start, warnings, and refusals in a client's words.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScriptedDriver, type ScriptedDriver } from "../../../../../test/support/scripted-driver.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

let driver: ScriptedDriver;
let api: ApiServer;

beforeEach(async () => {
  driver = createScriptedDriver();
  api = await openApiServer({ driver });
});
afterEach(() => api.close());

const create = async (json: object): Promise<string> =>
  String((await api.send("POST", "/api/tasks", { json: { task: "x", ...json } })).body.agent.id);

async function list(query: string): Promise<string[]> {
  const { status, body } = await api.send("GET", `/api/tasks?${query}`);
  expect(status).toBe(200);
  expect(body.pagination.total).toBe(body.tasks.length);
  return body.tasks.map(({ task_id: id }: { task_id: string }) => id);
}

describe("a filtered list of tasks on /api", () => {
  it("has the tasks with a status, agent and metadata", async () => {
    const [own, other] = [
      await create({ metadata: { team: "a", n: 1 } }),
      await create({ metadata: { team: "b" } }),
    ];
    const waiting = await create({ agent: "atp+stdio:x", start: false, metadata: { team: "a" } });
    await api.send("POST", `/api/tasks/${other}/cancel`);
    expect(await list("status=cancelled")).toEqual([other]);
    expect(await list("status=created,running")).toEqual([waiting, own]);
    expect(await list("agent=atp%2Bstdio:x")).toEqual([waiting]);
    expect(await list("metadata.team=a")).toEqual([waiting, own]);
    expect(await list("metadata.team=a&metadata.n=1")).toEqual([own]);
    expect(await list("metadata.team=a&status=created")).toEqual([waiting]);
  });

  it("refuses an unknown status, and names what it ignores", async () => {
    const wrong = await api.send("GET", "/api/tasks?status=faild");
    expect(wrong.status).toBe(400);
    expect(wrong.body.message).toContain("created, running, completed, failed, paused, cancelled");
    const { body } = await api.send("GET", "/api/tasks?stauts=failed");
    expect(body.warnings).toEqual([expect.stringContaining('did you mean "status"?')]);
    expect((await api.send("GET", "/api/tasks?status=failed")).body).not.toHaveProperty("warnings");
  });
});

describe("a task with all fields on /api", () => {
  it("keeps its constraints and metadata, and shows them", async () => {
    const constraints = { timeout_seconds: 60, max_tokens: 1000 };
    const task = await create({ agent: "atp+stdio:x", constraints, metadata: { team: "a" } });
    expect((await driver.session(0)).job.constraints).toMatchObject(constraints);
    const { body } = await api.send("GET", `/api/tasks/${task}`);
    expect(body.task).toMatchObject({ agent: "atp+stdio:x", constraints, metadata: { team: "a" } });
    const wrong = await api.send("POST", "/api/tasks", {
      json: { task: "x", agent: "atp+stdio:x", constraints: { max_tokens: -1 } },
    });
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, "constraints.max_tokens"]);
  });

  it("waits to be started, is given files, and its agent finds them", async () => {
    const json = { task: "sort", agent: "atp+stdio:x", start: false };
    const { body: created } = await api.send("POST", "/api/tasks", { json });
    const task = `/api/tasks/${created.agent.id}`;
    expect(created.agent.status).toBe("CREATED");
    const body = new FormData();
    body.append("file", new Blob(["3 1 2"]), "numbers.txt");
    body.append("relative_path", "in/numbers.txt");
    const uploaded = await api.send("POST", `${task}/artifacts`, { body });
    expect([uploaded.status, uploaded.headers.get("location")]).toEqual([
      201,
      `${task}/artifacts/${uploaded.body.artifact_id}`,
    ]);
    expect((await api.send("GET", task)).body.status).toBe("created");
    expect(driver.sessions).toEqual([]);
    expect((await api.send("POST", `${task}/start`)).body).toMatchObject({ status: "running" });
    const session = await driver.session(0);
    const workspace = session.job.context.workspace_path ?? "";
    expect(await readFile(join(workspace, "in/numbers.txt"), "utf8")).toBe("3 1 2");
    session.end();
    await api.test.ended(created.agent.id);
    expect((await api.send("POST", `${task}/start`)).status).toBe(200);
    const { body: all } = await api.send("GET", `${task}/artifacts`);
    expect(all.artifacts).toEqual([uploaded.body]);
    const one = `${task}/artifacts/${uploaded.body.artifact_id}`;
    expect((await api.send("GET", one)).body).toEqual(uploaded.body);
    expect((await api.send("GET", `${one}/download`)).body).toBe("3 1 2");
    expect((await api.send("DELETE", one)).status).toBe(204);
    expect((await api.send("GET", one)).status).toBe(404);
  });

  it("cannot wait to be started when its client does the work", async () => {
    const { status, body } = await api.send("POST", "/api/tasks", { json: { task: "x", start: false } });
    expect([status, body.details[0].path]).toEqual([400, "start"]);
  });

  it("is cancelled for the reason that is given", async () => {
    const task = await create({ agent: "atp+stdio:x" });
    await driver.session(0);
    const json = { reason: "no longer needed" };
    expect((await api.send("POST", `/api/tasks/${task}/cancel`, { json })).status).toBe(200);
    const { body } = await api.send("GET", `/api/tasks/${task}`);
    expect(body.task.failure.message).toContain("no longer needed");
  });
});

describe("unknown fields of a request to /api", () => {
  it("are named in the answer, with the nearest known name", async () => {
    const { body } = await api.send("POST", "/api/tasks", { json: { task: "x", agnet: "slow" } });
    expect(body.warnings).toEqual([expect.stringMatching(/"agnet".*did you mean "agent"\?/)]);
    const steps = `/api/tasks/${body.agent.id}/steps`;
    const added = await api.send("POST", steps, { json: { status: "running" } });
    expect([added.status, added.body.warnings.length]).toEqual([201, 1]);
    const changed = await api.send("PATCH", `${steps}/${added.body.step_id}`, { json: { name: "y" } });
    expect([changed.status, changed.body.warnings.length]).toEqual([200, 1]);
    expect((await api.send("GET", `${steps}/${added.body.step_id}`)).body).not.toHaveProperty("warnings");
  });
});

describe("refusals of /api", () => {
  const refusal = async (path: string, method = "POST") => {
    const { status, body } = await api.send(method, path);
    expect(body.message).not.toMatch(/\n|run\.|step\.|\brun\b/);
    expect(JSON.stringify(body)).not.toContain("run_id");
    return [status, body.code, body.message.replaceAll(/[0-9a-f-]{36}/g, "T")];
  };

  it("say in a client's words what cannot be done, on one line", async () => {
    const task = await create({});
    await api.send("POST", `/api/tasks/${task}/pause`);
    expect(await refusal(`/api/tasks/${task}/pause`)).toEqual([
      409,
      "ILLEGAL_TRANSITION",
      "task T is already paused",
    ]);
    expect(await refusal(`/api/tasks/${task}/steps`)).toEqual([
      409,
      "ILLEGAL_TRANSITION",
      "task T is paused: no step can be added until it is resumed",
    ]);
    await api.send("POST", `/api/tasks/${task}/resume`);
    expect(await refusal(`/api/tasks/${task}/resume`)).toEqual([
      409,
      "ILLEGAL_TRANSITION",
      "task T is not paused",
    ]);
    await api.send("POST", `/api/tasks/${task}/cancel`);
    expect(await refusal(`/api/tasks/${task}/pause`)).toEqual([
      409,
      "ILLEGAL_TRANSITION",
      "task T has ended and is cancelled: it cannot be paused any more",
    ]);
    expect(await refusal("/api/tasks/none", "GET")).toEqual([404, "TASK_NOT_FOUND", "there is no task none"]);
    expect((await refusal("/api/nothing", "GET"))[0]).toBe(404);
  });
});

it("events of artifacts on /api name their step and the place of the bytes", async () => {
  const task = await create({});
  const step = await api.newStep(task);
  const { body: uploaded } = await api.upload(task, step, "x");
  await api.send("DELETE", `/api/tasks/${task}/steps/${step}/artifacts/${uploaded.artifact_id}`);
  await api.send("POST", `/api/tasks/${task}/cancel`);
  const events = await api.events(task);
  expect(events[0]).toMatchObject({ type: "task.created", data: { agent: null } });
  expect(events.find(({ type }) => type === "artifact.created")?.data).toMatchObject({ uri: uploaded.uri });
  expect(events.find(({ type }) => type === "artifact.deleted")).toMatchObject({
    step_id: step,
    artifact_id: uploaded.artifact_id,
  });
});

it("/api guesses the type of a file that its client sends as octet-stream", async () => {
  const task = await create({});
  const step = await api.newStep(task);
  const type = async (name: string, said?: string): Promise<unknown> => {
    const boundary = "cut";
    const header = said === undefined ? "" : `Content-Type: ${said}\r\n`;
    const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n${header}\r\nx\r\n--${boundary}--\r\n`;
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
    return (await api.send("POST", `/api/tasks/${task}/steps/${step}/artifacts`, { body, headers })).body
      .mime_type;
  };
  expect(await type("a.json", "application/octet-stream")).toBe("application/json");
  expect(await type("a.bin")).toBe("application/octet-stream");
  expect(await type("a.md", "text/plain")).toBe("text/plain");
  expect(await type("a.csv", "application/vnd.mine")).toBe("application/vnd.mine");
  expect(await type("a", "application/octet-stream")).toBe("application/octet-stream");
});

it("/api does not replace the output of a step that is over", async () => {
  const task = await create({});
  const step = `/api/tasks/${task}/steps/${await api.newStep(task)}`;
  const patch = async (json: object): Promise<number> => (await api.send("PATCH", step, { json })).status;
  expect(await patch({ status: "completed" })).toBe(200);
  expect(await patch({ output: { n: 1 } })).toBe(200);
  expect(await patch({ output: { n: 1 } })).toBe(200);
  expect(await patch({ output: { n: 2 } })).toBe(409);
  expect(await patch({ is_last: true })).toBe(200);
});
