import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProctorError } from "../../../../core/errors.ts";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

let api: ApiServer;
beforeAll(async () => {
  api = await openApiServer();
});
afterAll(() => api.close());

const NOBODY = "00000000-0000-7000-8000-000000000000";

describe("creating a task", () => {
  it("answers 200 with the agent, as the document does", async () => {
    const { status, body, headers } = await api.send("POST", "/api/tasks", {
      json: { task: "Task description" },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      agent: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: "Task: Task description",
        status: "ACTIVE",
        task: "Task description",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(headers.get("location")).toBe(`/api/tasks/${body.agent.id}`);
  });

  it("shortens only the name of a long task", async () => {
    const task = `${"ü🙂".repeat(100)}\nsecond line`;
    const { body } = await api.send("POST", "/api/tasks", { json: { task } });
    expect(body.agent).toMatchObject({ name: `Task: ${"ü🙂".repeat(25)}…`, task });
  });

  it("keeps additional_input", async () => {
    const input = { nested: { a: [1, null, "x"] } };
    const { body } = await api.send("POST", "/api/tasks", { json: { task: "x", additional_input: input } });
    const task = await api.send("GET", `/api/tasks/${body.agent.id}`);
    expect(task.body.additional_input).toEqual(input);
  });

  it("makes one task of several requests with the same Idempotency-Key", async () => {
    const headers = { "idempotency-key": "once" };
    const init = { json: { task: "once", workspace: "same" }, headers };
    const answers = await Promise.all([1, 2, 3].map(() => api.send("POST", "/api/tasks", init)));
    expect(new Set(answers.map(({ body }) => body.agent.id)).size).toBe(1);
    const other = await api.send("POST", "/api/tasks", { json: { task: "other" }, headers });
    expect([other.status, other.body.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
  });

  it.each<[string, unknown, string]>([
    ["no task", {}, "task: is missing"],
    ["an empty task", { task: "" }, "task: must not be empty"],
    ["a blank task", { task: " \n" }, "task: must say what is to be done"],
    ["a task that is no text", { task: 5 }, "task: must be"],
    ["a task that is too long", { task: "x".repeat(10_001) }, "10000 characters"],
    ["a list", [], "JSON object"],
    ["a text", "x", "JSON object"],
    ["additional_input that is no object", { task: "x", additional_input: "y" }, "additional_input: must be"],
    ["a workspace that is no text", { task: "x", workspace: 7 }, "workspace: must be"],
    ["an agent that is no text", { task: "x", agent: {} }, "agent: must be"],
    ["an agent without a name", { task: "x", agent: "" }, "agent: must not be empty"],
  ])("refuses %s", async (_name, json, message) => {
    const { status, body } = await api.send("POST", "/api/tasks", { json });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it("refuses what is no JSON", async () => {
    const json = { "content-type": "application/json" };
    const send = (body: string | undefined, headers: Record<string, string>) =>
      api.send("POST", "/api/tasks", { headers, ...(body !== undefined && { body }) });
    expect((await send("{", json)).status).toBe(400);
    expect((await send(`${"[".repeat(500)}${"]".repeat(500)}`, json)).status).toBe(400);
    expect((await send(undefined, json)).status).toBe(400);
    expect((await send('{"task":"x"}', { "content-type": "text/plain" })).status).toBe(415);
    expect((await send("task=x", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await send(JSON.stringify({ task: "x", y: "z".repeat(11_000_000) }), json)).status).toBe(413);
  });

  it("refuses an agent that nobody knows", async () => {
    const { status, body } = await api.send("POST", "/api/tasks", { json: { task: "x", agent: "nobody" } });
    expect([status, body.code]).toEqual([404, "AGENT_NOT_FOUND"]);
  });
});

describe("a workspace", () => {
  const create = (workspace: unknown) => api.send("POST", "/api/tasks", { json: { task: "x", workspace } });

  it("is a folder below the configured root", async () => {
    const { body } = await create("./team/one");
    expect(await readdir(join(api.workspacesRoot, "team"))).toEqual(["one"]);
    const task = await api.send("GET", `/api/tasks/${body.agent.id}`);
    expect(task.body.task.workspaces).toEqual([
      { name: "team/one", path: join(api.workspacesRoot, "team/one") },
    ]);
    expect((await create("team/one")).status).toBe(200);
  });

  it.each([
    "/etc",
    "../x",
    "a/../../x",
    "C:\\x",
    "a\\b",
    "a\0",
    "",
    ".",
    "./",
    "x".repeat(300),
    "y/".repeat(1000),
  ])("cannot be %j", async (workspace) => {
    const { status, body } = await create(workspace);
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^workspace /)]);
  });

  it("does not lead out of the root through a link, nor through a file", async () => {
    const outside = join(api.test.folder, "outside");
    await mkdir(outside, { recursive: true });
    await mkdir(api.workspacesRoot, { recursive: true });
    await symlink(outside, join(api.workspacesRoot, "link"));
    await symlink(join(outside, "missing"), join(api.workspacesRoot, "dangling"));
    await writeFile(join(api.workspacesRoot, "file"), "");
    for (const name of ["link", "link/below", "dangling", "file", "file/below"])
      expect([name, (await create(name)).status]).toEqual([name, 400]);
    expect(await readdir(outside)).toEqual([]);
  });
});

describe("a task", () => {
  it("is listed as the document says", async () => {
    const id = await api.newTask("listed");
    const { status, body } = await api.send("GET", "/api/tasks?page=1&pageSize=5");
    expect(status).toBe(200);
    expect(body.pagination).toMatchObject({ page: 1, pageSize: 5 });
    expect(body.pagination.totalPages).toBe(Math.ceil(body.pagination.total / 5));
    const [newest] = body.tasks;
    expect(newest).toEqual({
      task_id: id,
      input: "listed",
      additional_input: {},
      status: "running",
      created_at: expect.any(String),
      modified_at: expect.any(String),
      artifacts: [],
    });
  });

  it("is found with its cycles, memories and workspaces", async () => {
    const id = await api.newTask("details");
    const step = await api.newStep(id, { name: "one", input: { a: 1 } });
    const { status, body } = await api.send("GET", `/api/tasks/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ task_id: id, input: "details", status: "running", artifacts: [] });
    expect(body.task).toMatchObject({
      id,
      name: "Task: details",
      status: "ACTIVE",
      task: "details",
      cycles: [{ id: step, cycleNumber: 1, name: "one", status: "created", input: { a: 1 }, output: null }],
      memories: [],
      workspaces: [],
    });
    expect(Date.parse(body.modified_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at));
  });

  it("is gone after it was deleted, with its files, and cannot be deleted twice", async () => {
    const id = await api.newTask();
    const step = await api.newStep(id);
    await api.upload(id, step, "bytes of a deleted task");
    expect((await readdir(api.artifactsDir)).filter((name) => name.startsWith(id))).toHaveLength(1);
    const deleted = await api.send("DELETE", `/api/tasks/${id}`);
    expect([deleted.status, deleted.body]).toEqual([204, ""]);
    expect((await readdir(api.artifactsDir)).filter((name) => name.startsWith(id))).toEqual([]);
    for (const [method, path] of [
      ["DELETE", ""],
      ["GET", ""],
      ["GET", "/steps"],
      ["GET", `/steps/${step}`],
      ["GET", "/events"],
      ["POST", "/cancel"],
    ] as const)
      expect([path, (await api.send(method, `/api/tasks/${id}${path}`)).status]).toEqual([path, 404]);
  });

  it("that does not exist is 404 everywhere", async () => {
    for (const id of [NOBODY, "x", "..%2f..", "%00", "constructor"]) {
      for (const path of [
        "",
        "/steps",
        "/steps/y",
        "/steps/y/artifacts",
        "/steps/y/artifacts/z",
        "/steps/y/artifacts/z/download",
        "/events",
      ]) {
        const { status, body } = await api.send("GET", `/api/tasks/${id}${path}`);
        expect([id, path, status, body.message]).toEqual([
          id,
          path,
          404,
          expect.stringContaining("there is no task"),
        ]);
      }
      for (const path of ["pause", "resume", "cancel", "steps"])
        expect((await api.send("POST", `/api/tasks/${id}/${path}`)).status).toBe(404);
    }
  });
});

describe("pages", () => {
  it("are disjoint, newest first, and empty past the end", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift(await api.newTask(`page ${index}`));
    const seen: string[] = [];
    for (const page of [1, 2, 3]) {
      const { body } = await api.send("GET", `/api/tasks?page=${page}&pageSize=2`);
      seen.push(...body.tasks.map((task: { task_id: string }) => task.task_id));
    }
    expect(seen.slice(0, 5)).toEqual(ids);
    const beyond = await api.send("GET", "/api/tasks?page=1000000&pageSize=200");
    expect([beyond.status, beyond.body.tasks]).toEqual([200, []]);
    expect((await api.send("GET", "/api/tasks")).body.pagination).toMatchObject({ page: 1, pageSize: 20 });
  });

  it.each([
    "page=0",
    "page=-1",
    "page=x",
    "pageSize=0",
    "pageSize=201",
    "pageSize=1e9",
    "pageSize=1000000000",
    "page=1.5",
  ])("%s is refused", async (query) => {
    const id = await api.newTask();
    const step = await api.newStep(id);
    for (const list of ["", `/${id}/steps`, `/${id}/steps/${step}/artifacts`])
      expect((await api.send("GET", `/api/tasks${list}?${query}`)).status).toBe(400);
  });
});

describe("pause, resume and cancel", () => {
  const act = (id: string, what: string) => api.send("POST", `/api/tasks/${id}/${what}`);

  it("answer as the document says", async () => {
    const id = await api.newTask();
    const answers = [];
    for (const what of ["pause", "resume", "cancel"]) answers.push(await act(id, what));
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { task_id: id, status: "paused" }],
      [200, { task_id: id, status: "running" }],
      [200, { task_id: id, status: "cancelled" }],
    ]);
  });

  it("accept JSON without a body, as the clients of the document's server send it", async () => {
    const id = await api.newTask();
    const headers = { "content-type": "application/json" };
    for (const what of ["pause", "resume", "cancel"])
      expect((await api.send("POST", `/api/tasks/${id}/${what}`, { headers })).status).toBe(200);
    expect((await api.send("DELETE", `/api/tasks/${id}`, { headers })).status).toBe(204);
  });

  it("are refused with 409 where the task's status does not allow them", async () => {
    const id = await api.newTask();
    expect((await act(id, "resume")).status).toBe(409);
    await act(id, "pause");
    const step = await api.send("POST", `/api/tasks/${id}/steps`, { json: {} });
    expect([step.status, step.body.code]).toEqual([409, "ILLEGAL_TRANSITION"]);
    expect(step.body.message).toContain(`task ${id}`);
    await act(id, "cancel");
    for (const what of ["pause", "resume"]) expect((await act(id, what)).status).toBe(409);
  });

  it("cancel fails running steps, leaves the others, and is a no-op when repeated", async () => {
    const id = await api.newTask();
    const [running, waiting] = [await api.newStep(id), await api.newStep(id)];
    await api.send("PATCH", `/api/tasks/${id}/steps/${running}`, { json: { status: "running" } });
    const first = await act(id, "cancel");
    const again = await act(id, "cancel");
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    const { body } = await api.send("GET", `/api/tasks/${id}/steps`);
    expect(body.steps.map((step: { status: string }) => step.status)).toEqual(["failed", "created"]);
    const frozen = await api.send("PATCH", `/api/tasks/${id}/steps/${waiting}`, {
      json: { status: "running" },
    });
    expect(frozen.status).toBe(409);
    const types = (await api.events(id)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(["step.failed", "task.cancelled"]);
  });

  it("cancel after the end is 409", async () => {
    const id = await api.newTask();
    const step = await api.newStep(id);
    await api.send("PATCH", `/api/tasks/${id}/steps/${step}`, {
      json: { status: "completed", is_last: true },
    });
    expect((await act(id, "cancel")).status).toBe(409);
  });
});

describe("trouble of the hub behind /api", () => {
  it("is a 500 or 503 in the same form, and shows nothing of its inside", async () => {
    let thrown: Error = new Error("SELECT secret FROM runs");
    const hub = new Proxy(api.test.hub, {
      get: (target, name, receiver) =>
        name === "runsPage" ? () => Promise.reject(thrown) : (Reflect.get(target, name, receiver) as unknown),
    });
    const broken = await openApiServer({ hub });
    try {
      const bug = await broken.send("GET", "/api/tasks");
      expect([bug.status, bug.body.error]).toEqual([500, "Internal Server Error"]);
      expect(JSON.stringify(bug.body)).not.toContain("secret");
      thrown = new ProctorError("STORE_UNAVAILABLE", "the store is busy");
      const busy = await broken.send("GET", "/api/tasks");
      expect([busy.status, busy.body.message]).toEqual([503, "the store is busy"]);
    } finally {
      await broken.close();
    }
  });
});

describe("a path of /api", () => {
  it("answers HEAD as GET without a body", async () => {
    const id = await api.newTask();
    const head = await api.send("HEAD", `/api/tasks/${id}`);
    expect([head.status, head.body, head.headers.get("content-type")]).toEqual([200, "", "application/json"]);
    expect((await api.send("HEAD", "/api/tasks")).status).toBe(200);
    expect((await api.send("HEAD", `/api/tasks/${NOBODY}`)).status).toBe(404);
    expect((await api.send("HEAD", `/api/tasks/${id}/events`)).status).toBe(200);
  });

  it("names its methods when it takes only others", async () => {
    const id = await api.newTask();
    for (const [method, path, allow] of [
      ["PUT", "", "GET, POST, HEAD"],
      ["POST", `/${id}`, "GET, DELETE, HEAD"],
      ["GET", `/${id}/pause`, "POST"],
      ["DELETE", `/${id}/steps/x`, "GET, PATCH, HEAD"],
    ] as const) {
      const { status, headers } = await api.send(method, `/api/tasks${path}`);
      expect([status, headers.get("allow")]).toEqual([405, allow]);
    }
  });

  it("is 404 where there is nothing", async () => {
    for (const path of [
      "",
      "/",
      "/task",
      "/tasks/",
      "/tasks//steps",
      "/tasks/x/nothing",
      "/tasks/x/steps/y/z",
      "/constructor",
    ])
      expect([path, (await api.send("GET", `/api${path}`)).status]).toEqual([path, 404]);
    expect((await api.send("GET", "/api/tasks/%E0%A4%A")).status).toBe(400);
  });

  it("refuses pages of other sites", async () => {
    const headers = { origin: "https://evil.example" };
    const body = new FormData();
    for (const path of ["/api/tasks", "/api/tasks/x/steps/y/artifacts"])
      expect((await api.send("POST", path, { body, headers })).status).toBe(403);
  });
});
