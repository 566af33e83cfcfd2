// The official Agent Protocol v1 on a real server, hub and store: the forms, the refusals, the files.
import { beforeEach, describe, expect, it } from "vitest";
import { uuidV7 } from "../../../../core/id.ts";
import type { Stage, StageOptions } from "../../../../../test/support/agent-protocol/surfaces-server.ts";
import type { OfficialClient } from "../../../../../test/support/agent-protocol/official-client.ts";
import { useOfficialStage } from "../../../../../test/support/agent-protocol/official-stage.ts";

let stage: Stage;
let client: OfficialClient;
const openStage = useOfficialStage();

async function open(options?: StageOptions): Promise<void> {
  ({ stage, client } = await openStage(options));
}

const TASKS = "/ap/v1/agent/tasks";
const post = (body: string, type = "application/json"): RequestInit => ({
  body,
  headers: { "content-type": type },
});

describe("official tasks", () => {
  beforeEach(() => open());

  it("are created from an input, from nothing at all, and from null", async () => {
    const additional_input = { a: [1, { b: null }] };
    const task = await client.createTask({ input: "write a poem", additional_input });
    expect(task).toMatchObject({ input: "write a poem", additional_input, artifacts: [] });
    expect(await client.getTask(task.task_id)).toEqual(task);
    expect(await client.createTask()).toMatchObject({ input: null, artifacts: [] });
    expect(await client.createTask({ input: null, additional_input: null })).toMatchObject({ input: null });
  });

  it("are listed newest first, by the official spellings of a page and by Forge's", async () => {
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1)
      made.unshift((await client.createTask({ input: `${index}` })).task_id);
    const first = await client.listTasks();
    expect(first.tasks.map(({ task_id }) => task_id)).toEqual(made.slice(0, 10));
    expect(first.pagination).toEqual({ total_items: 12, total_pages: 2, current_page: 1, page_size: 10 });
    for (const query of ["?current_page=3&page_size=5", "?page=3&page_size=5", "?page=3&pageSize=5"]) {
      const { tasks, pagination } = await client.listTasks(query);
      expect(tasks.map(({ task_id }) => task_id)).toEqual(made.slice(10));
      expect(pagination).toEqual({ total_items: 12, total_pages: 3, current_page: 3, page_size: 5 });
    }
    expect((await client.listTasks("?current_page=9")).tasks).toEqual([]);
  });

  it("are the same for a repeated request with one key", async () => {
    const init = {
      ...post('{"input":"once"}'),
      headers: { "content-type": "application/json", "idempotency-key": "k" },
    };
    const first = await client.send("POST", TASKS, init);
    const second = await client.send("POST", TASKS, init);
    expect(second.body["task_id"]).toBe(first.body["task_id"]);
    const other = await client.send("POST", TASKS, { ...init, body: '{"input":"twice"}' });
    expect(other.status).toBe(409);
  });

  it.each([
    ["input is no text", '{"input":{"a":1}}'],
    ["additional_input is no object", '{"input":"x","additional_input":"y"}'],
    ["the body is no object", '["x"]'],
    ["the body is no JSON", "{"],
    ["the input is longer than the hub takes", JSON.stringify({ input: "x".repeat(10_001) })],
  ])("are refused with 422 when %s", async (_what, body) => {
    expect((await client.send("POST", TASKS, post(body))).status).toBe(422);
  });

  it.each(["?current_page=0", "?current_page=x", "?page_size=0", "?page_size=1e9", "?pageSize=-1"])(
    "refuse the page %s with 422",
    async (query) => {
      expect((await client.send("GET", `${TASKS}${query}`)).status).toBe(422);
    },
  );
});

describe("official steps and files", () => {
  it("show every step with the three official statuses and texts", async () => {
    await open();
    const { hub } = stage;
    const { run } = await hub.openClientRun({ task: { description: "by a client of /api" } });
    const [first, second, third] = [uuidV7(), uuidV7(), uuidV7()];
    const added = (step_id: string, input: { action: string } | string | null) =>
      ({ type: "step.added", payload: { step_id, name: "s", input, additional_input: { x: 1 } } }) as const;
    await hub.tell(run.id, () => [
      added(first, { action: "read" }),
      added(second, "text"),
      added(third, null),
      { type: "step.changed", payload: { step_id: first, status: "completed", output: { lines: 3 } } },
      { type: "step.changed", payload: { step_id: second, status: "failed", output: "no such file" } },
      {
        type: "step.changed",
        payload: { step_id: third, status: "failed", additional_output: { error: "the disk is full" } },
      },
    ]);
    const { steps, pagination } = await client.listSteps(run.id);
    expect(steps).toMatchObject([
      {
        step_id: first,
        status: "completed",
        input: '{"action":"read"}',
        additional_input: { x: 1, input: { action: "read" } },
        output: '{"lines":3}',
        additional_output: { output: { lines: 3 } },
      },
      {
        step_id: second,
        status: "completed",
        input: "text",
        additional_input: { x: 1 },
        output: "no such file",
        additional_output: { error: { message: "no such file" } },
      },
      { step_id: third, status: "completed", output: null, additional_output: { error: "the disk is full" } },
    ]);
    expect(pagination).toEqual({ total_items: 3, total_pages: 1, current_page: 1, page_size: 10 });
    expect((await client.listSteps(run.id, "?page=2&pageSize=2")).steps).toEqual([steps[2]]);
    expect(await client.getStep(run.id, second)).toEqual(steps[1]);
  });

  it("take a file with its path from the form or, as Forge does, from the query, even after the end", async () => {
    await open();
    const { task_id: task } = await client.createTask({ input: "x" });
    expect(await client.upload(task, "a.txt", "one")).toMatchObject({
      agent_created: false,
      file_name: "a.txt",
      relative_path: null,
    });
    expect(await client.upload(task, "b.txt", "two", "in/deep")).toMatchObject({
      relative_path: "in/deep",
    });
    expect(await client.upload(task, "c.txt", "three", "in/c.txt")).toMatchObject({
      relative_path: "in",
    });
    expect(await client.upload(task, "d.txt", "four", undefined, "?relative_path=q")).toMatchObject({
      relative_path: "q",
    });
    await client.executeStep(task);
    const late = await client.upload(task, 'ü"e.txt', "fünf");
    const { artifacts, pagination } = await client.listArtifacts(task, "?page_size=2&current_page=3");
    expect(artifacts).toEqual([late]);
    expect(pagination).toMatchObject({ total_items: 5, total_pages: 3 });
    expect(JSON.stringify(artifacts)).not.toContain("file:");
    const { text, headers } = await client.download(task, late.artifact_id);
    expect(text).toBe("fünf");
    expect(headers.get("content-length")).toBe("5");
    expect(headers.get("content-disposition")).toBe(
      "attachment; filename=\"__e.txt\"; filename*=UTF-8''%C3%BC%22e.txt",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect((await client.getTask(task)).artifacts).toHaveLength(5);
  });

  it("refuse files that are too large, lead out of their folder, or are none", async () => {
    await open({ official: { maxFileBytes: 10 } });
    const { task_id: task } = await client.createTask({ input: "x" });
    const send = async (content: string, path?: string, query = ""): Promise<number> => {
      const body = new FormData();
      if (content !== "") body.append("file", new Blob([content]), "f");
      if (path !== undefined) body.append("relative_path", path);
      return (await client.send("POST", `${TASKS}/${task}/artifacts${query}`, { body })).status;
    };
    expect(await send("0123456789")).toBe(200);
    expect(await send("0123456789a")).toBe(413);
    expect(await send("x", "../out")).toBe(422);
    expect(await send("x", undefined, "?relative_path=/etc")).toBe(422);
    expect(await send("")).toBe(422);
    expect((await client.send("POST", `${TASKS}/${task}/artifacts`, post("{}"))).status).toBe(415);
    expect((await client.listArtifacts(task)).artifacts).toHaveLength(1);
  });

  it("answer 404 with a message for what is not there, and 405 for what cannot be done", async () => {
    await open();
    const { task_id: task } = await client.createTask({ input: "x" });
    const { task_id: other } = await client.createTask({ input: "y" });
    const step = await client.executeStep(other);
    const file = await client.upload(other, "f", "x");
    const missing = [
      ["GET", `${TASKS}/nobody`],
      ["GET", `${TASKS}/nobody/steps`],
      ["POST", `${TASKS}/nobody/steps`],
      ["POST", `${TASKS}/nobody/artifacts`],
      ["GET", `${TASKS}/nobody/artifacts`],
      ["GET", `${TASKS}/${task}/steps/${step.step_id}`],
      ["GET", `${TASKS}/${task}/artifacts/${file.artifact_id}`],
      ["GET", `${TASKS}/${task}/more`],
      ["GET", `${TASKS}/${task}/steps/${task}-step-x`],
      ["GET", "/ap"],
      ["GET", "/ap/v2/agent/tasks"],
      ["GET", "/ap/v1/constructor"],
    ] as const;
    for (const [method, path] of missing)
      expect([path, (await client.send(method, path)).status]).toEqual([path, 404]);
    expect((await client.send("GET", `${TASKS}/%zz`)).status).toBe(422);
    const wrong = await client.send("PATCH", `${TASKS}/${task}`);
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, DELETE, HEAD"]);
    expect((await client.send("POST", `${TASKS}/${task}/steps?wait=maybe`)).status).toBe(422);
    expect((await client.send("POST", `${TASKS}/${task}/steps`, post('{"input":5}'))).status).toBe(422);
  });

  it("answer HEAD without a body, and the heartbeat", async () => {
    await open();
    const head = await client.send("HEAD", TASKS);
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await client.send("GET", "/ap/v1/heartbeat")).toMatchObject({
      status: 200,
      body: { status: "ok" },
    });
  });

  it("keep an environment for the agent and store it nowhere", async () => {
    await open({ withAgent: true });
    const environment = { API_KEY: "s3cr3t-value-0001" };
    const additional_input = { context: { environment, other: 1 }, constraints: { timeout_seconds: 7 } };
    const task = await client.createTask({ input: "x", additional_input });
    expect(task.additional_input).toEqual({
      context: { environment: { API_KEY: "***" }, other: 1 },
      constraints: { timeout_seconds: 7 },
    });
    const step = client.executeStep(task.task_id);
    const session = await stage.driver.session(0);
    expect(session.job.context.environment).toEqual(environment);
    expect(session.job.constraints).toMatchObject({ timeout_seconds: 7 });
    session.end();
    expect((await step).is_last).toBe(true);
    expect(JSON.stringify(await stage.log(task.task_id))).not.toContain("s3cr3t-value");
  });
});
