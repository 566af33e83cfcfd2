// The HTTP+JSON binding in front of a service that the test writes: paths of both versions, forms, statuses.
import { describe, expect, it } from "vitest";
import { createFake } from "../../../../test/support/a2a/fake-service.ts";
import { A2aError, A2A_ERRORS, PATCH_LEVELS, statusOf, type A2aReason } from "../errors.ts";

const V1 = { "a2a-version": "1.0" };
const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
const config = { url: "https://x.example" };

function init(method: string, body?: unknown, headers: Record<string, string> = V1): RequestInit {
  return {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/a2a+json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

describe("the paths of HTTP+JSON", () => {
  it.each([
    ["POST", "/message:send", { message }, "send", { message }],
    ["POST", "/message:stream", { message }, "stream", { message }],
    ["GET", "/tasks?pageSize=3&status=TASK_STATE_WORKING", undefined, "listTasks", { pageSize: 3 }],
    ["GET", "/tasks/t1?historyLength=2", undefined, "getTask", { id: "t1", historyLength: 2 }],
    ["GET", "/tasks/a%2Fb%3Acancel", undefined, "getTask", { id: "a/b:cancel" }],
    ["POST", "/tasks/a:b:cancel", {}, "cancelTask", { id: "a:b" }],
    ["POST", "/tasks/t1:cancel", undefined, "cancelTask", { id: "t1" }],
    ["GET", "/tasks/t1:subscribe", undefined, "subscribe", { id: "t1" }],
    ["POST", "/tasks/t1:subscribe", undefined, "subscribe", { id: "t1" }],
    ["POST", "/tasks/t1/pushNotificationConfigs", config, "createPushConfig", { taskId: "t1", ...config }],
    ["GET", "/tasks/t1/pushNotificationConfigs", undefined, "listPushConfigs", { taskId: "t1" }],
    ["GET", "/tasks/t1/pushNotificationConfigs/p", undefined, "getPushConfig", { taskId: "t1", id: "p" }],
    [
      "DELETE",
      "/tasks/t1/pushNotificationConfigs/p",
      undefined,
      "deletePushConfig",
      { taskId: "t1", id: "p" },
    ],
    ["GET", "/acme/tasks/t1", undefined, "getTask", { id: "t1", tenant: "acme" }],
    ["POST", "/acme/message:send", { message }, "send", { tenant: "acme" }],
    ["GET", "/extendedAgentCard", undefined, "extendedCard", undefined],
    ["GET", "/acme/extendedAgentCard", undefined, "extendedCard", undefined],
  ])("of 1.0: %s %s", async (method, path, body, operation, request) => {
    const { fetch, asked } = createFake();
    const answer = await fetch(path, init(method, body));
    expect(answer.status).toBe(200);
    expect(asked).toMatchObject([
      { operation, call: { version: "1.0", binding: "HTTP+JSON", basePath: "/base" } },
    ]);
    if (request !== undefined) expect(asked[0]!.request).toMatchObject(request);
    const type = /:stream|:subscribe/.test(path) ? "text/event-stream" : "application/a2a+json";
    expect(answer.headers.get("content-type")).toBe(type);
  });

  const legacy = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] };
  const proto = { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] };

  it.each([
    ["POST", "/v1/message:send", { message: proto }, "send", { message }],
    ["POST", "/v1/message:send", { message: legacy }, "send", { message }],
    ["POST", "/v1/message:stream", { message: proto }, "stream", { message }],
    ["GET", "/v1/tasks/t1?historyLength=2", undefined, "getTask", { id: "t1", historyLength: 2 }],
    ["GET", "/v1/tasks/t1?history_length=2", undefined, "getTask", { id: "t1", historyLength: 2 }],
    ["POST", "/v1/tasks/t1:cancel", {}, "cancelTask", { id: "t1" }],
    ["GET", "/v1/tasks/t1:subscribe", undefined, "subscribe", { id: "t1" }],
    [
      "POST",
      "/v1/tasks/t1/pushNotificationConfigs",
      { config: { pushNotificationConfig: config } },
      "createPushConfig",
      config,
    ],
    ["GET", "/v1/tasks/t1/pushNotificationConfigs", undefined, "listPushConfigs", { taskId: "t1" }],
    ["GET", "/v1/tasks/t1/pushNotificationConfigs/p", undefined, "getPushConfig", { taskId: "t1", id: "p" }],
    [
      "DELETE",
      "/v1/tasks/t1/pushNotificationConfigs/p",
      undefined,
      "deletePushConfig",
      { taskId: "t1", id: "p" },
    ],
    ["GET", "/v1/card", undefined, "extendedCard", undefined],
  ])("of 0.3: %s %s %j", async (method, path, body, operation, request) => {
    const { fetch, asked } = createFake();
    const answer = await fetch(path, init(method, body, {}));
    expect(answer.status).toBe(200);
    expect(asked).toMatchObject([{ operation, call: { version: "0.3" } }]);
    if (request !== undefined) expect(asked[0]!.request).toMatchObject(request);
    if (operation === "createPushConfig") expect(asked[0]!.request).toMatchObject({ taskId: "t1" });
  });

  it("answer 0.3 in ProtoJSON", async () => {
    const { fetch } = createFake();
    const answer = await fetch("/v1/message:send", init("POST", { message: proto }, {}));
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toMatchObject({
      task: { id: "t1", status: { state: "TASK_STATE_WORKING" } },
    });
  });

  it("are taken for 1.0's without a version, with a warning", async () => {
    const { fetch, asked } = createFake();
    const answer = await fetch("/tasks/t1", init("GET", undefined, {}));
    expect(asked).toMatchObject([{ call: { version: "1.0" } }]);
    expect(answer.headers.get("x-proctor-warning")).toContain("A2A-Version");
  });

  it.each([
    ["GET", "/nowhere", 404],
    ["GET", "/tasks/t1/nowhere", 404],
    ["GET", "/", 405],
    ["PUT", "/tasks/t1", 405],
    ["GET", "/message:send", 405],
    ["DELETE", "/tasks/t1:cancel", 405],
    ["GET", "/tasks/%zz", 400],
  ])("refuse %s %s with %i in A2A's form", async (method, path, status) => {
    const { fetch, asked } = createFake();
    const answer = await fetch(path, init(method));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(/./) } });
    expect(answer.headers.has("allow")).toBe(status === 405);
    expect(asked).toEqual([]);
  });

  it("are those of the version that the request names", async () => {
    const { fetch, asked } = createFake();
    expect((await fetch("/tasks/t1", init("GET", undefined, { "a2a-version": "0.3" }))).status).toBe(404);
    await fetch("/v1/tasks/t1", init("GET"));
    expect(asked).toMatchObject([{ request: { tenant: "v1", id: "t1" }, call: { version: "1.0" } }]);
    const unknown = await fetch("/tasks/t1", init("GET", undefined, { "a2a-version": "99.0" }));
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      { error: { details: [{ reason: "VERSION_NOT_SUPPORTED" }] } },
    ]);
  });
});

describe("what HTTP+JSON refuses", () => {
  const cases = PATCH_LEVELS.flatMap((patch) =>
    (Object.keys(A2A_ERRORS) as A2aReason[]).map((reason) => [reason, patch] as const),
  );

  it.each(cases)("has the status of %s at %s", async (reason, patch) => {
    const error = new A2aError(reason, "because", { retryAfterSeconds: 2 });
    const { fetch } = createFake({ getTask: () => Promise.reject(error) }, { patch });
    const answer = await fetch("/tasks/t1", init("GET"));
    const { status, grpcName } = statusOf(reason, patch);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(answer.headers.get("content-type")).toBe(
      patch === "1.0.0" ? "application/json" : "application/a2a+json",
    );
    expect(await answer.json()).toMatchObject({
      error: {
        code: status,
        status: grpcName,
        message: "because",
        details: [{ reason, domain: "a2a-protocol.org" }, { retryDelay: "2s" }],
      },
    });
    const old = await fetch("/v1/tasks/t1", init("GET", undefined, {}));
    expect(await old.json()).toMatchObject({ code: A2A_ERRORS[reason].code, message: "because" });
  });

  it.each([
    ["no JSON", "{", {}, 400],
    ["a list", "[]", {}, 400],
    ["nothing", "", {}, 400],
    ["another media type", "{}", { "content-type": "text/plain" }, 415],
    ["compressed", "{}", { "content-encoding": "gzip" }, 415],
    ["too much", JSON.stringify({ message, more: "x".repeat(2000) }), {}, 413],
  ])("is a body that is %s", async (_, body, headers, status) => {
    const { fetch, asked } = createFake({}, { bodyLimitBytes: 1000 });
    const answer = await fetch("/message:send", {
      method: "POST",
      headers: { "content-type": "application/json", ...V1, ...headers },
      body,
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ error: { code: status } });
    expect(asked).toEqual([]);
  });

  it("is a body that contradicts the path, and a query that nobody knows", async () => {
    const { fetch } = createFake();
    const body = await fetch("/tasks/t1:cancel", init("POST", { id: "t2" }));
    expect([body.status, await body.text()]).toEqual([400, expect.stringContaining("in the path")]);
    for (const query of ["__proto__=1", "historyLength=x", "historyLenght=1", "historyLength=-1"])
      expect((await fetch(`/tasks/t1?${query}`, init("GET"))).status).toBe(400);
  });

  it("is everything where a server does not speak it", async () => {
    const { fetch, post } = createFake({}, { bindings: ["JSONRPC"] });
    expect((await fetch("/tasks/t1", init("GET"))).status).toBe(404);
    const rest = createFake({}, { bindings: ["HTTP+JSON"] });
    expect((await rest.post({})).status).toBe(404);
    expect((await post({ jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "t1" } })).status).toBe(200);
  });
});
