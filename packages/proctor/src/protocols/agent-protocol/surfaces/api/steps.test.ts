import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

let api: ApiServer;
beforeAll(async () => {
  api = await openApiServer();
});
afterAll(() => api.close());

const patch = (task: string, step: string, json: unknown) =>
  api.send("PATCH", `/api/tasks/${task}/steps/${step}`, { json });

describe("a step on /api", () => {
  it("is created with 201, as the document says", async () => {
    const task = await api.newTask();
    const json = {
      name: "Step name",
      input: { action: "read_file", path: "test.txt" },
      additional_input: { context: "Additional context" },
    };
    const { status, body, headers } = await api.send("POST", `/api/tasks/${task}/steps`, { json });
    expect(status).toBe(201);
    expect(body).toEqual({
      step_id: expect.any(String),
      task_id: task,
      name: "Step name",
      status: "created",
      input: json.input,
      output: null,
      additional_input: json.additional_input,
      additional_output: {},
      artifacts: [],
      is_last: false,
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
      owner: "client",
    });
    expect(headers.get("location")).toBe(`/api/tasks/${task}/steps/${body.step_id}`);
    expect((await api.send("GET", `/api/tasks/${task}/steps/${body.step_id}`)).body).toEqual(body);
  });

  it("is one step however often it is asked for with the same Idempotency-Key", async () => {
    const task = await api.newTask();
    const ask = (key: string, json: unknown) =>
      api.send("POST", `/api/tasks/${task}/steps`, { json, headers: { "idempotency-key": key } });
    const [first, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => ask("once", { input: { a: 1, b: 2 } })),
    );
    for (const other of others) expect(other.body).toEqual(first?.body);
    expect((await ask("once", { input: { b: 2, a: 1 } })).body).toEqual(first?.body);
    expect((await ask("once", { input: { a: 2 } })).status).toBe(409);
    expect((await ask("", {})).status).toBe(400);
    expect((await ask("twice", { input: { a: 2 } })).status).toBe(201);
    expect((await api.send("GET", `/api/tasks/${task}/steps`)).body.pagination.total).toBe(2);
  });

  it("needs no body, and has a name even then", async () => {
    const task = await api.newTask();
    const headers = { "content-type": "application/json" };
    const answers = [];
    for (const init of [{}, { headers }, { headers, body: " " }, { json: { name: "" } }])
      answers.push(await api.send("POST", `/api/tasks/${task}/steps`, init));
    expect(answers.map(({ status, body }) => [status, body.name, body.input])).toEqual(
      [1, 2, 3, 4].map((number) => [201, `Step ${number}`, null]),
    );
  });

  it("gets its times by itself", async () => {
    const task = await api.newTask();
    const step = await api.newStep(task);
    const running = await patch(task, step, { status: "running" });
    expect(running.status).toBe(200);
    expect(running.body).toMatchObject({ status: "running", completed_at: null });
    const started = running.body.started_at;
    expect(Date.parse(started)).toBeGreaterThanOrEqual(Date.parse(running.body.created_at));
    const output = { result: "Operation result" };
    const done = await patch(task, step, {
      status: "completed",
      output,
      additional_output: { metrics: { duration: 1500 } },
    });
    expect(done.body).toMatchObject({
      status: "completed",
      output,
      additional_output: { metrics: { duration: 1500 } },
      started_at: started,
      is_last: false,
    });
    expect(Date.parse(done.body.completed_at)).toBeGreaterThanOrEqual(Date.parse(started));
  });

  it("may be over without ever having been running", async () => {
    const task = await api.newTask();
    for (const status of ["completed", "failed"]) {
      const { body } = await patch(task, await api.newStep(task), { status });
      expect(body).toMatchObject({
        status,
        started_at: expect.any(String),
        completed_at: expect.any(String),
      });
    }
  });

  it("that is the last ends the task with it", async () => {
    for (const status of ["completed", "failed"]) {
      const task = await api.newTask();
      const { body } = await patch(task, await api.newStep(task), { status, is_last: true });
      expect(body).toMatchObject({ status, is_last: true });
      expect((await api.send("GET", `/api/tasks/${task}`)).body).toMatchObject({ status });
      expect((await api.send("POST", `/api/tasks/${task}/steps`, { json: {} })).status).toBe(409);
    }
  });

  it("is listed by index, page by page", async () => {
    const task = await api.newTask();
    for (let index = 0; index < 5; index++) await api.newStep(task, { name: `n${index}` });
    const names = async (query: string): Promise<string[]> => {
      const { body } = await api.send("GET", `/api/tasks/${task}/steps${query}`);
      expect(body.pagination.total).toBe(5);
      return body.steps.map((step: { name: string }) => step.name);
    };
    expect(await names("")).toEqual(["n0", "n1", "n2", "n3", "n4"]);
    expect(await names("?page=2&pageSize=2")).toEqual(["n2", "n3"]);
    expect(await names("?page=9")).toEqual([]);
  });

  it("keeps every one of many that are made at once, each with an index of its own", async () => {
    const task = await api.newTask();
    await Promise.all(Array.from({ length: 20 }, () => api.newStep(task)));
    const { body } = await api.send("GET", `/api/tasks/${task}`);
    const numbers = body.task.cycles.map((cycle: { cycleNumber: number }) => cycle.cycleNumber);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    const names = body.task.cycles.map((cycle: { name: string }) => cycle.name);
    expect(new Set(names).size).toBe(20);
  });
});

describe("a change of a step on /api is refused", () => {
  it.each<[string, unknown, string]>([
    [
      "for a status nobody knows",
      { status: "done" },
      'status: must be "created" or "running" or "completed" or "failed"',
    ],
    ["for a status that is no text", { status: 1 }, "status: must be"],
    ["for is_last that is no boolean", { is_last: "yes" }, "is_last: must be"],
    ["for additional_output that is no object", { additional_output: [] }, "additional_output: must be"],
    ["for a body that is no object", "x", "JSON object"],
  ])("%s", async (_name, json, message) => {
    const task = await api.newTask();
    const step = await api.newStep(task);
    const { status, body } = await patch(task, step, json);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect((await api.send("GET", `/api/tasks/${task}/steps/${step}`)).body.status).toBe("created");
  });

  it("with 409 when it goes backwards, and repeating it changes nothing", async () => {
    const task = await api.newTask();
    const step = await api.newStep(task);
    await patch(task, step, { status: "running" });
    expect((await patch(task, step, { status: "created" })).status).toBe(409);
    expect((await patch(task, step, { status: "running" })).status).toBe(200);
    await patch(task, step, { status: "completed", output: { a: 1 } });
    expect((await patch(task, step, { status: "running" })).status).toBe(409);
    expect((await patch(task, step, { status: "failed" })).status).toBe(409);
    const same = await patch(task, step, { status: "completed", output: { a: 1 } });
    expect([same.status, same.body.output]).toEqual([200, { a: 1 }]);
    expect((await patch(task, step, {})).status).toBe(200);
  });

  it("when the task has ended", async () => {
    const task = await api.newTask();
    const [first, last] = [await api.newStep(task), await api.newStep(task)];
    await patch(task, last, { status: "completed", is_last: true });
    const { status, body } = await patch(task, first, { status: "running" });
    expect([status, body.code]).toEqual([409, "ILLEGAL_TRANSITION"]);
    expect(body.message).toContain(`task ${task}`);
  });

  it("for a step of another task, as for one that does not exist", async () => {
    const [one, two] = [await api.newTask(), await api.newTask()];
    const step = await api.newStep(one);
    for (const id of [step, "x", `${one}-3`]) {
      expect((await api.send("GET", `/api/tasks/${two}/steps/${id}`)).status).toBe(404);
      const { status, body } = await patch(two, id, { status: "running" });
      expect([status, body.code]).toEqual([404, "STEP_NOT_FOUND"]);
    }
  });

  it("for names that are not texts or too long", async () => {
    const task = await api.newTask();
    for (const json of [{ name: 1 }, { name: "x".repeat(1001) }, { additional_input: "x" }])
      expect((await api.send("POST", `/api/tasks/${task}/steps`, { json })).status).toBe(400);
  });
});
