import { describe, expect, it } from "vitest";
import { ProctorError } from "../core/errors.ts";
import { createHarness, notReady, RUN, streamed } from "../../test/support/server/app-harness.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

describe("POST /runs", () => {
  it("answers 202 with the run and where it is", async () => {
    const { send, hub } = createHarness();
    const { status, body, headers } = await send("POST", "/runs", { json: RUN });
    expect(status).toBe(202);
    expect(headers.get("location")).toBe(`/runs/${body.id}`);
    expect(headers.has("idempotency-replayed")).toBe(false);
    expect(body).toMatchObject({ agent: RUN.agent, status: "queued", task: RUN.task });
    expect(await hub.run(body.id)).toMatchObject({ id: body.id });
  });

  it("keeps unknown fields of task and context, and passes everything on", async () => {
    const { send, hub } = createHarness();
    const json = {
      agent: { protocol: "atp", transport: "stdio", command: ["python", "agent.py"], env: { KEY: "v" } },
      task: { description: "x", input_data: { n: 1 }, mood: { deep: [1, null] } },
      constraints: {
        max_steps: 1000,
        max_tokens: 1,
        timeout_seconds: 86_400,
        budget_usd: 0,
        allowed_tools: null,
      },
      context: { environment: { TOKEN: "t" }, region: "eu" },
      metadata: { team: "a" },
      retry: { max_attempts: 3, initial_delay_ms: 0, max_delay_ms: 1, multiplier: 2, on: ["TIMEOUT"] },
    };
    expect((await send("POST", "/runs", { json })).status).toBe(202);
    expect(hub.calls[0]?.args[0]).toEqual({ ...json, options: { conversation: {} } });
  });

  it("joins the caller's trace", async () => {
    const { send, hub, logs } = createHarness();
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const { headers: answered, body } = await send("POST", "/runs", { json: RUN, headers });
    expect(answered.get("x-trace-id")).toBe(TRACE);
    expect(hub.calls[0]?.args[1]).toEqual({ traceId: TRACE, parentSpanId: "00f067aa0ba902b7" });
    expect(logs[0]).toMatchObject({ trace_id: TRACE, run_id: body.id, status: 202 });
  });

  it("starts a trace of its own when the header is malformed", async () => {
    const { send } = createHarness();
    const { headers } = await send("GET", "/runs", { headers: { traceparent: `00-${TRACE}-zz-01` } });
    expect(headers.get("x-trace-id")).not.toBe(TRACE);
  });

  it("returns the same run for the same idempotency key, and 409 for another body", async () => {
    const { send } = createHarness();
    const headers = { "idempotency-key": "k".repeat(255) };
    const first = await send("POST", "/runs", { json: RUN, headers });
    const again = await send("POST", "/runs", { json: RUN, headers });
    expect(again.status).toBe(202);
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await send("POST", "/runs", { json: { ...RUN, metadata: { a: 1 } }, headers });
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ error: "Conflict", code: "IDEMPOTENCY_CONFLICT" });
  });

  it.each([0, 256])("refuses an idempotency key of %d characters", async (length) => {
    const key = "k".repeat(length);
    const { send, hub } = createHarness();
    const { status, body } = await send("POST", "/runs", { json: RUN, headers: { "idempotency-key": key } });
    expect(status).toBe(400);
    expect(body.message).toContain("Idempotency-Key");
    expect(hub.calls).toEqual([]);
  });

  it.each([
    [
      "a wrong type",
      { constraints: { timeout_seconds: "60" } },
      "constraints.timeout_seconds",
      "must be a number, and is a text",
    ],
    [
      "a fraction",
      { constraints: { timeout_seconds: 1.5 } },
      "constraints.timeout_seconds",
      "must be a whole number",
    ],
    [
      "too long a timeout",
      { constraints: { timeout_seconds: 86_401 } },
      "constraints.timeout_seconds",
      "must be at most",
    ],
    ["too many steps", { constraints: { max_steps: 1001 } }, "constraints.max_steps", "must be at most"],
    ["no steps", { constraints: { max_steps: 0 } }, "constraints.max_steps", "must be at least"],
    [
      "too many tokens",
      { constraints: { max_tokens: 10_000_001 } },
      "constraints.max_tokens",
      "must be at most",
    ],
    [
      "a negative budget",
      { constraints: { budget_usd: -0.01 } },
      "constraints.budget_usd",
      "must be at least",
    ],
    [
      "a tool that is no name",
      { constraints: { allowed_tools: ["a", 1] } },
      "constraints.allowed_tools.1",
      "must be a text",
    ],
    [
      "a misspelt constraint",
      { constraints: { timeout_second: 6 } },
      "constraints.timeout_second",
      "timeout_seconds",
    ],
    ["a misspelt field", { contraints: {} }, "contraints", 'did you mean "constraints"?'],
    ["an unknown field", { zzzzzz: 1 }, "zzzzzz", "unknown field"],
    ["an empty task", { task: { description: "" } }, "task.description", "must not be empty"],
    ["too long a task", { task: { description: "x".repeat(10_001) } }, "task.description", "is longer than"],
    ["a task without description", { task: {} }, "task.description", "is missing"],
    ["no agent", { agent: undefined }, "agent", "is missing"],
    ["an agent that is a number", { agent: 7 }, "agent", "must be a text or an object"],
    [
      "a misspelt agent field",
      { agent: { protocol: "atp", transport: "stdio", comand: ["x"] } },
      "agent.comand",
      "command",
    ],
    [
      "a secret that is no text",
      { context: { environment: { A: 1 } } },
      "context.environment.A",
      "must be a text",
    ],
    ["too many attempts", { retry: { max_attempts: 11 } }, "retry.max_attempts", "must be at most"],
    ["metadata that is no object", { metadata: [] }, "metadata", "must be an object, and is a list"],
  ])("refuses %s and names the field", async (_what, change, path, message) => {
    const { send, hub } = createHarness();
    const { status, body } = await send("POST", "/runs", { json: { ...RUN, ...change } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: "Bad Request", code: "INVALID_REQUEST" });
    const detail = body.details.find((one: { path: string }) => one.path === path);
    expect(detail?.message).toContain(message);
    expect(hub.calls).toEqual([]);
  });

  it.each([
    ["not JSON", '{"agent":'],
    ["empty", ""],
    ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
    [
      "nested too deeply",
      '{"agent":"a","task":{"description":"x","d":' + "[".repeat(300_000) + "]".repeat(300_000) + "}}",
    ],
  ])("refuses a body that is %s, without quoting it", async (_what, body) => {
    const { send } = createHarness();
    const answer = await send("POST", "/runs", { body, headers: { "content-type": "application/json" } });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe("INVALID_REQUEST");
    expect(answer.text.length).toBeLessThan(300);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])(
    "refuses the content type %j, which another site could post",
    async (type) => {
      const { send } = createHarness();
      const { status, body } = await send("POST", "/runs", {
        body: JSON.stringify(RUN),
        headers: { "content-type": type },
      });
      expect(status).toBe(415);
      expect(body.code).toBe("UNSUPPORTED_MEDIA_TYPE");
    },
  );

  it("accepts a charset beside the content type", async () => {
    const { send } = createHarness();
    const headers = { "content-type": "Application/JSON; charset=utf-8" };
    expect((await send("POST", "/runs", { body: JSON.stringify(RUN), headers })).status).toBe(202);
  });

  it("refuses a body over the limit by its declared length, and while it is read", async () => {
    const { send } = createHarness({ bodyLimitBytes: 100 });
    const type = { "content-type": "application/json" };
    const declared = { ...type, "content-length": "101" };
    expect((await send("POST", "/runs", { body: "{}", headers: declared })).status).toBe(413);
    const parts = streamed(JSON.stringify(RUN), " ".repeat(100));
    const { status, body } = await send("POST", "/runs", { body: parts, headers: type });
    expect(status).toBe(413);
    expect(body).toMatchObject({ error: "Payload Too Large", code: "PAYLOAD_TOO_LARGE" });
  });
});

describe("GET /runs", () => {
  it("passes its filters on", async () => {
    const { send, hub } = createHarness();
    await hub.begin();
    const path = "/runs?status=failed,running&status=queued&agent=a&order=oldest&limit=1000&cursor=c";
    const { status, body } = await send("GET", path);
    expect(status).toBe(200);
    expect(body.items).toHaveLength(1);
    expect(hub.calls.at(-1)?.args[0]).toEqual({
      status: ["failed", "running", "queued"],
      agent: "a",
      order: "oldest",
      limit: 1000,
      cursor: "c",
    });
  });

  it.each([
    ["status=done", "status.0", 'must be "'],
    ["staus=failed", "staus", 'did you mean "status"?'],
    ["limit=0", "limit", "must be at least"],
    ["limit=1001", "limit", "must be at most"],
    ["limit=ten", "limit", "must be a number, and is a text"],
    ["order=random", "order", 'must be "'],
    ["__proto__=1", "__proto__", "unknown field"],
  ])("refuses ?%s", async (query, path, message) => {
    const { send } = createHarness();
    const { status, body } = await send("GET", `/runs?${query}`);
    expect(status).toBe(400);
    expect(body.details[0]).toMatchObject({ path });
    expect(body.details[0].message).toContain(message);
  });

  it("passes on that a cursor is foreign", async () => {
    const { send } = createHarness();
    expect((await send("GET", "/runs?cursor=wrong")).body.code).toBe("INVALID_CURSOR");
  });
});

describe("a run over HTTP", () => {
  it("is read by id", async () => {
    const { send, hub } = createHarness();
    const run = await hub.begin();
    const { status, body } = await send("GET", `/runs/${run.id}`);
    expect(status).toBe(200);
    expect(body).toEqual(run);
  });

  it("is 404 when it does not exist, whatever the id looks like", async () => {
    const { send, logs } = createHarness();
    for (const id of ["nope", "%2e%2e%2fetc", "a".repeat(4000), "%00"]) {
      const { status, body } = await send("GET", `/runs/${id}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: "Not Found", code: "RUN_NOT_FOUND" });
    }
    expect(logs.some((entry) => "run_id" in entry)).toBe(false);
  });

  it("refuses a malformed escape in its path", async () => {
    const { send } = createHarness();
    expect((await send("GET", "/runs/%E0%A4%A")).status).toBe(400);
  });

  it("is cancelled with 202 and a reason, and a second time with 200", async () => {
    const { send, hub } = createHarness();
    const { id } = await hub.begin();
    const first = await send("POST", `/runs/${id}/cancel`, { json: { reason: "enough" } });
    expect(first.status).toBe(202);
    expect(first.body.status).toBe("cancelled");
    expect(hub.calls.at(-1)).toEqual({ name: "cancel", args: [id, "enough"] });
    expect((await send("POST", `/runs/${id}/cancel`)).status).toBe(200);
  });

  it("is paused and resumed with an empty body, and refuses what its status forbids", async () => {
    const { send, hub } = createHarness();
    const { id } = await hub.begin();
    expect((await send("POST", `/runs/${id}/pause`)).body.status).toBe("paused");
    expect((await send("POST", `/runs/${id}/resume`)).body.status).toBe("running");
    const { status, body } = await send("POST", `/runs/${id}/resume`);
    expect(status).toBe(409);
    expect(body.code).toBe("ILLEGAL_TRANSITION");
  });

  it("refuses a control body that is not what it takes", async () => {
    const { send, hub } = createHarness();
    const { id } = await hub.begin();
    const unknown = await send("POST", `/runs/${id}/cancel`, { json: { reasn: "x" } });
    expect(unknown.body.details[0].message).toContain('did you mean "reason"?');
    const form = await send("POST", `/runs/${id}/cancel`, { body: "reason=x" });
    expect(form.status).toBe(415);
    expect((await hub.run(id)).status).toBe("running");
  });
});

describe("agents over HTTP", () => {
  it("are added, read, listed, replaced and removed", async () => {
    const { send } = createHarness();
    const added = await send("POST", "/agents", { json: { name: "a.1", address: "atp+stdio:python a.py" } });
    expect(added.status).toBe(201);
    expect(added.headers.get("location")).toBe("/agents/a.1");
    expect(added.body).toMatchObject({ protocol: "atp", transport: "stdio", command: ["python", "a.py"] });
    expect((await send("GET", "/agents/a.1")).body).toEqual(added.body);
    const json = { protocol: "a2a", transport: "http", url: "http://127.0.0.1:1/", concurrency: 2 };
    const replaced = await send("PUT", "/agents/a.1", { json });
    expect(replaced.status).toBe(200);
    expect(replaced.body).toMatchObject({ name: "a.1", ...json });
    expect((await send("GET", "/agents")).body).toEqual({ items: [replaced.body], next_cursor: null });
    expect((await send("DELETE", "/agents/a.1")).status).toBe(204);
    expect((await send("GET", "/agents/a.1")).body.code).toBe("AGENT_NOT_FOUND");
    expect((await send("DELETE", "/agents/a.1")).status).toBe(404);
    expect((await send("PUT", "/agents/a.1", { json })).status).toBe(201);
  });

  it("say what they are, as they were registered", async () => {
    const { send } = createHarness();
    const capabilities = [
      { name: "plan", description: "Plans", parameters: { type: "object" }, tags: ["t"] },
    ];
    const profile = { description: "Plans days", version: "2", capabilities };
    const added = await send("POST", "/agents", { json: { name: "p", address: "atp+stdio:x", ...profile } });
    expect(added.body).toMatchObject(profile);
    expect((await send("GET", "/agents/p")).body).toMatchObject(profile);
    const json = { protocol: "atp", transport: "stdio", command: ["x"], ...profile, version: "3" };
    expect((await send("PUT", "/agents/p", { json })).body).toMatchObject({ version: "3", capabilities });
    const run = { agent: { ...json }, task: { description: "go" } };
    expect((await send("POST", "/runs", { json: run })).status).toBe(400);
  });

  it("refuse a taken name", async () => {
    const { send } = createHarness();
    const json = { name: "a", address: "atp+stdio:x" };
    await send("POST", "/agents", { json });
    expect((await send("POST", "/agents", { json })).body.code).toBe("AGENT_EXISTS");
  });

  it.each([
    [{ name: "../a", address: "atp+stdio:x" }, "name"],
    [{ name: "a", adress: "atp+stdio:x" }, "adress"],
    [{ name: "a", address: "atp+stdio:x", envv: {} }, "envv"],
    [{ name: "a", protocol: "atp", transport: "stdio", command: "x" }, "command"],
    [{ name: "a", protocol: "atp", transport: "stdio", command: ["x"], concurrency: 0 }, "concurrency"],
    [{ name: "a", address: "atp+stdio:x", capabilities: [{ nam: "b" }] }, "capabilities.0.nam"],
    [{ name: "a", address: "atp+stdio:x", capabilities: [{ name: "b" }, { name: "b" }] }, "capabilities"],
  ])("refuse %j", async (json, path) => {
    const { send } = createHarness();
    const { status, body } = await send("POST", "/agents", { json });
    expect(status).toBe(400);
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it("refuse an address of an unknown kind", async () => {
    const { send } = createHarness();
    const { status, body } = await send("POST", "/agents", { json: { name: "a", address: "atp+smoke:x" } });
    expect(status).toBe(400);
    expect(body.code).toBe("UNKNOWN_SCHEME");
  });
});

describe("the hub", () => {
  it.each([
    ["/healthz", "/readyz"],
    ["/health/live", "/health/ready"],
  ])("is alive at %s even when it is not ready, and says at %s why it is not", async (alive, ready) => {
    const { send } = createHarness({ ready: notReady });
    expect((await send("GET", alive)).body).toEqual({ status: "ok", version: "1.2.3" });
    const { status, body } = await send("GET", ready);
    expect(status).toBe(503);
    expect(body).toMatchObject({ error: "Service Unavailable", code: "STORE_FULL" });
    expect(body.message).toContain("make room");
  });

  it("is ready when the store is", async () => {
    expect((await createHarness().send("GET", "/readyz")).status).toBe(200);
  });

  it("labels metrics with the pattern, never with a path or method that a client made up", async () => {
    const { send, hub } = createHarness();
    const { id } = await hub.begin();
    await send("GET", `/runs/${id}`);
    await send("GET", "/made/up");
    await send("PROPFIND", "/made/up");
    const { text, headers } = await send("GET", "/metrics");
    expect(headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect(text).toContain('proctor_http_requests_total{method="GET",route="/runs/{id}",status="200"} 1');
    expect(text).toContain('proctor_http_requests_total{method="*",route="unmatched",status="404"} 2');
    expect(text).not.toContain("made");
    expect(text).not.toContain("PROPFIND");
    expect(text).not.toContain(id);
  });
});

describe("the answer to a wrong request", () => {
  it("is 404 for an unknown path and 405 with Allow for a wrong method", async () => {
    const { send } = createHarness();
    expect((await send("GET", "/nothing")).body).toMatchObject({ error: "Not Found", code: "NOT_FOUND" });
    expect((await send("GET", "/runs/")).status).toBe(404);
    const { status, headers, body } = await send("DELETE", "/runs");
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("POST, GET, HEAD");
    expect(body).toMatchObject({ error: "Method Not Allowed", code: "METHOD_NOT_ALLOWED" });
  });

  it("never shows an unexpected exception, but logs it under the trace id of the answer", async () => {
    const { send, hub, logs } = createHarness();
    hub.failure = new TypeError("cannot read secret-internal of undefined");
    const { status, body, headers, text } = await send("GET", "/runs/x");
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: "Internal Server Error", code: "INTERNAL_ERROR" });
    expect(text).not.toContain("secret-internal");
    expect(body.message).toContain(headers.get("x-trace-id"));
    expect(logs[0]).toMatchObject({ level: "error", status: 500, trace_id: headers.get("x-trace-id") });
    expect(logs[0]?.["error"]).toContain("secret-internal");
  });

  it("asks to come back when the store is away", async () => {
    const { send, hub } = createHarness();
    hub.failure = new ProctorError("STORE_UNAVAILABLE", "the store is locked");
    const { status, headers } = await send("GET", "/runs/x");
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
  });
});

describe("the request log", () => {
  it("has one entry per request, with no header, body or query in it", async () => {
    const { send, logs } = createHarness();
    await send("POST", "/runs?access_token=SECRET1", { json: RUN });
    await send("POST", "/runs", {
      json: { ...RUN, context: { environment: { A: "SECRET2" } } },
      headers: { authorization: "Bearer SECRET3", cookie: "SECRET4" },
    });
    expect(logs).toHaveLength(2);
    expect(logs[0]).toMatchObject({ path: "/runs", status: 400 });
    expect(logs[1]).toMatchObject({ level: "info", method: "POST", path: "/runs", status: 202 });
    expect(Object.keys(logs[1] ?? {}).sort()).toEqual(
      ["duration_ms", "level", "method", "path", "run_id", "status", "time", "trace_id"].sort(),
    );
    expect(JSON.stringify(logs)).not.toContain("SECRET");
  });
});

describe("mounted surfaces", () => {
  const mounts = [
    {
      path: "/atp",
      fetch: (request: Request, { traceId }: { traceId: string }) =>
        new Response(`${request.method} ${new URL(request.url).pathname} ${traceId}`),
    },
    {
      path: "/card",
      open: true,
      fetch: () => Promise.reject(new ProctorError("AGENT_NOT_FOUND", "no such agent")),
    },
  ];

  it("take every method at and below their path, with the trace id", async () => {
    const { app, logs } = createHarness({ mounts });
    for (const path of ["/atp", "/atp/x/execute"]) {
      const response = await app.fetch(new Request(`http://localhost${path}`, { method: "POST" }));
      const traceId = response.headers.get("x-trace-id");
      expect(await response.text()).toBe(`POST ${path} ${traceId}`);
    }
    expect((await app.fetch(new Request("http://localhost/atpx"))).status).toBe(404);
    expect(logs).toHaveLength(3);
  });

  it("are behind the token unless they are open, and their errors are answered", async () => {
    const { app } = createHarness({ mounts, tokens: ["t"] });
    expect((await app.fetch(new Request("http://localhost/atp"))).status).toBe(401);
    const response = await app.fetch(new Request("http://localhost/card/x"));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "AGENT_NOT_FOUND" });
  });
});
