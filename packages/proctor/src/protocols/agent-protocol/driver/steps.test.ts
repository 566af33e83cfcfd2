import { describe, expect, it } from "vitest";
import { drained } from "../../../../test/support/http/servers.ts";
import {
  drive,
  lastStep,
  serveAp,
  status,
  step,
  TASK_ID,
} from "../../../../test/support/agent-protocol/scripted-server.ts";

const taskPath = `/ap/v1/agent/tasks/${encodeURIComponent(TASK_ID)}`;

describe("a task for an Agent Protocol server", () => {
  it("is created below the agent's address, with everything beside the description as additional input", async () => {
    const server = await serveAp();
    const { end, rules } = await drive(`${server.url}/base/?key=1`, {
      spec: {
        protocol: "ap",
        transport: "http",
        url: `${server.url}/base/?key=1`,
        headers: { Authorization: "Bearer x", "Content-Type": "text/plain" },
      },
      task: { description: "do it", input_data: { a: 1 }, expected_artifacts: [{ name: "r" }], more: true },
      constraints: { max_steps: 3 },
      context: { environment: { KEY: "v" } },
      metadata: { test_id: "t" },
    });
    expect(end).toEqual({ status: "completed", metrics: {} });
    expect(rules).toEqual([]);
    const [created] = server.asked;
    expect(created).toMatchObject({ method: "POST", path: "/base/ap/v1/agent/tasks?key=1" });
    expect(created?.headers).toMatchObject({
      authorization: "Bearer x",
      "content-type": "application/json",
      accept: "application/json",
      traceparent: expect.stringContaining("0af7651916cd43dd8448eb211c80319c") as string,
    });
    expect(JSON.parse(created?.body.toString() ?? "")).toEqual({
      input: "do it",
      additional_input: {
        input_data: { a: 1 },
        expected_artifacts: [{ name: "r" }],
        more: true,
        constraints: { timeout_seconds: 300, max_steps: 3 },
        context: { environment: { KEY: "v" } },
        metadata: { test_id: "t" },
      },
    });
  });

  it.each(["/ap/v1", "/ap/v1/agent/", "/ap/v1/agent"])(
    "is created once below the root, whichever way the address names it: %s",
    async (path) => {
      const server = await serveAp();
      expect((await drive(`${server.url}${path}`)).end.status).toBe("completed");
      expect(server.asked[0]?.path).toBe("/ap/v1/agent/tasks");
    },
  );

  it.each(["..", ".", "", "\ud800", "x".repeat(2000)])(
    "is refused when its id would lead elsewhere: %j",
    async (id) => {
      const server = await serveAp({ create: { task_id: id, artifacts: [] } });
      expect((await drive(server.url)).end.failure?.code).toBe("INVALID_RESPONSE");
      expect(server.asked).toHaveLength(1);
    },
  );

  it.each([{}, [], null, "task", { task_id: null }, { agent: { id: "x" } }])(
    "is INVALID_RESPONSE when the answer is no task: %j",
    async (create) => {
      const server = await serveAp({ create });
      const { end, rules } = await drive(server.url);
      expect(end.failure?.code).toBe("INVALID_RESPONSE");
      expect(rules).toContain("ap.task");
    },
  );

  it("may have a number as its id, which is recorded", async () => {
    const server = await serveAp({
      create: { task_id: 7, artifacts: [] },
      step: () => lastStep({ task_id: "7" }),
    });
    const { end, rules } = await drive(server.url);
    expect([end.status, rules]).toEqual(["completed", ["ap.task"]]);
    expect(server.asked[1]?.path).toBe("/ap/v1/agent/tasks/7/steps");
  });
});

describe("steps of an Agent Protocol server", () => {
  it("are asked for without a body, as JSON, until one is the last", async () => {
    const server = await serveAp({
      step: (number) => (number < 3 ? step({ step_id: `s${number}` }) : lastStep()),
    });
    const { types, artifacts } = await drive(server.url);
    expect(types).toEqual(["progress", "progress", "progress"]);
    const steps = server.asked.filter(({ method, path }) => method === "POST" && path.endsWith("/steps"));
    expect(steps).toHaveLength(3);
    for (const { path, headers, body } of steps) {
      expect([path, headers["content-type"], headers["content-length"], body.length]).toEqual([
        `${taskPath}/steps`,
        "application/json",
        "0",
        0,
      ]);
    }
    expect(artifacts).toEqual([{ type: "structured", name: "result", data: { output: "done" } }]);
  });

  it.each([400, 415, 422])("are asked for with {} where no body is answered with %i", async (code) => {
    const server = await serveAp({ step: (number) => (number === 1 ? status(code) : lastStep()) });
    expect((await drive(server.url)).end.status).toBe("completed");
    expect(server.asked[2]?.body.toString()).toBe("{}");
  });

  it("are not asked for beyond max_steps, and what was produced is fetched", async () => {
    let asked = 0;
    const server = await serveAp({ step: (number) => step({ step_id: `s${(asked = number)}` }) });
    const { end, payloads } = await drive(server.url, { constraints: { max_steps: 4 } });
    expect(asked).toBe(4);
    expect(payloads("progress")).toHaveLength(4);
    expect(end).toMatchObject({ status: "failed", failure: { code: "BUDGET_EXCEEDED" } });
    expect(server.asked.at(-1)?.path).toContain("/artifacts?");
  });

  it("are waited for when they run in the background", async () => {
    const server = await serveAp({
      step: () => lastStep({ status: "running", output: null }),
      getStep: (number) => lastStep(number < 2 ? { status: "running", output: null } : { output: "at last" }),
    });
    const { end, rules, artifacts } = await drive(server.url);
    expect([end.status, rules]).toEqual(["completed", []]);
    expect(artifacts).toMatchObject([{ name: "result", data: { output: "at last" } }]);
    expect(server.asked.map(({ path }) => path)).toContain(`${taskPath}/steps/s`);
  });

  it.each([
    ["created", null],
    ["created", "done"],
    ["running", "done"],
    ["running", null],
  ])("are taken when they stay %s with the output %j, and that is recorded", async (state, output) => {
    const server = await serveAp({
      step: () => lastStep({ status: state, output }),
      getStep: () => status(404),
    });
    const { end, rules } = await drive(server.url);
    expect([end.status, rules]).toEqual(["completed", ["ap.step.status"]]);
    const asks = server.asked.filter(({ method, path }) => method === "GET" && path.includes("/steps/"));
    expect(asks).toHaveLength(state === "running" && output === null ? 1 : 0);
  });

  it("fail when they are lost in the background", async () => {
    const server = await serveAp({
      step: () => lastStep({ status: "running", output: null }),
      getStep: () => status(500),
    });
    expect((await drive(server.url)).end).toMatchObject({
      status: "failed",
      failure: { code: "HTTP_ERROR" },
    });
  });

  it("end the task when they repeat, and each repetition is recorded", async () => {
    const server = await serveAp({ step: () => step() });
    const { end, rules } = await drive(server.url);
    expect(end).toMatchObject({ status: "failed", failure: { code: "INVALID_RESPONSE" } });
    expect(rules).toEqual(Array.from({ length: 10 }, () => "ap.step.repeated"));
  });

  it("are not the last where is_last is missing", async () => {
    const { is_last: _, ...lacking } = step();
    const server = await serveAp({
      step: (number) => (number === 1 ? { ...lacking, step_id: "s1" } : lastStep()),
    });
    const { end, rules, types } = await drive(server.url);
    expect([end.status, rules]).toEqual(["completed", ["ap.step"]]);
    expect(types.filter((type) => type === "progress")).toHaveLength(2);
  });

  it.each([{}, [], null, 7, "step", { steps: [] }])(
    "are INVALID_RESPONSE when the answer is no step: %j",
    async (wrong) => {
      const server = await serveAp({ step: () => wrong });
      const { end, rules } = await drive(server.url);
      expect(end.failure?.code).toBe("INVALID_RESPONSE");
      expect(rules).toContain("ap.step");
    },
  );

  it("are never sent twice, even when the connection breaks at once", async () => {
    const server = await serveAp({
      step: (number) => (number === 1 ? step({ step_id: "s1" }) : (response) => void response.destroy()),
    });
    const { end } = await drive(server.url);
    expect(end).toMatchObject({ status: "failed", failure: { code: "CONNECTION_LOST" } });
    expect(server.asked.filter(({ path }) => path.endsWith("/steps"))).toHaveLength(2);
  });
});

describe("a stopped task on an Agent Protocol server", () => {
  it.each(["cancel", "kill"] as const)("has its connection closed by %s", async (signal) => {
    const stop = new AbortController();
    const server = await serveAp({
      step: (number) => (number === 1 ? step({ step_id: "s1" }) : () => stop.abort()),
    });
    const { end } = await drive(server.url, { [signal]: stop.signal });
    expect(end).toEqual({ status: "cancelled", metrics: {} });
    await drained(server);
    expect(server.asked).toHaveLength(3);
  });

  it("has its connection closed even while a step runs in the background", async () => {
    const stop = new AbortController();
    const server = await serveAp({
      step: () => lastStep({ status: "running", output: null }),
      getStep: () => (stop.abort(), lastStep({ status: "running", output: null })),
    });
    expect((await drive(server.url, { cancel: stop.signal })).end.status).toBe("cancelled");
  });

  it("sends nothing more when its reader leaves the loop", async () => {
    const server = await serveAp({ step: (number) => step({ step_id: `s${number}` }) });
    const leave = (): void => {
      throw new Error("enough");
    };
    await expect(drive(server.url, { onReport: leave })).rejects.toThrow("enough");
    expect(server.asked).toHaveLength(2);
  });
});
