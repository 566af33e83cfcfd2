// The JSON-RPC binding in front of a service that the test writes: envelopes, versions, capabilities, and what is refused.
import { describe, expect, it } from "vitest";
import { createFake } from "../../../../test/support/a2a/fake-service.ts";
import { MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import { A2aError, A2A_ERRORS, type A2aReason } from "../errors.ts";

const V1 = { "a2a-version": "1.0" };
const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
const call = (method: string, params: unknown = { id: "t1" }, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

describe("a JSON-RPC request to an A2A server", () => {
  it.each([
    ["text", "abc"],
    ["number", 7],
    ["zero", 0],
    ["null", null],
    ["empty text", ""],
  ])("gets its id back: %s", async (_, id) => {
    const { post } = createFake();
    const answer = await post(call("GetTask", { id: "t1" }, id), V1);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id, result: { id: "t1" } });
  });

  it.each([
    ["is no JSON", "{", -32700, null],
    ["is empty", "", -32700, null],
    [
      "is nested too deeply",
      `{"a":${"[".repeat(MAX_JSON_DEPTH + 1)}${"]".repeat(MAX_JSON_DEPTH + 1)}}`,
      -32700,
      null,
    ],
    ["is a batch", [call("GetTask")], -32600, null],
    ["is an empty batch", [], -32600, null],
    ["is a text", '"GetTask"', -32600, null],
    ["is null", "null", -32600, null],
    ["has another version of JSON-RPC", { ...call("GetTask"), jsonrpc: "1.0" }, -32600, 1],
    ["has an object as id", { ...call("GetTask"), id: {} }, -32600, null],
    ["has a fraction as id", { ...call("GetTask"), id: 1.5 }, -32600, null],
    ["has a truth value as id", { ...call("GetTask"), id: true }, -32600, null],
    ["has no method", { jsonrpc: "2.0", id: 3 }, -32600, 3],
    ["has a number as method", { jsonrpc: "2.0", id: 3, method: 4 }, -32600, 3],
    ["has a method that nobody knows", call("GetTusk"), -32601, 1],
    ["asks for the public card", call("card"), -32601, 1],
    ["has a method of Object", call("constructor"), -32601, 1],
    ["has a list as params", call("GetTask", ["t1"]), -32602, 1],
    ["has null as params", call("GetTask", null), -32602, 1],
    ["lacks a parameter", call("GetTask", {}), -32602, 1],
  ])("that %s is refused with status 200", async (_, body, code, id) => {
    const { post, asked } = createFake();
    const answer = await post(body, V1);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
    expect(asked).toEqual([]);
  });

  it.each([
    [
      "for a stream of 0.3, to a client that takes events alone",
      "message/stream",
      { accept: "text/event-stream" },
      true,
    ],
    ["for a stream of 0.3 again", "tasks/resubscribe", { accept: "text/event-stream" }, true],
    ["for a stream of 0.3, to a client that takes anything", "message/stream", {}, false],
    [
      "for a stream of 0.3, to a client that takes JSON too",
      "message/stream",
      { accept: "text/event-stream, application/json;q=0.9" },
      false,
    ],
    ["for a stream of 1.0", "SubscribeToTask", { ...V1, accept: "text/event-stream" }, false],
    ["for a task", "tasks/get", { accept: "text/event-stream" }, false],
  ])("that is refused %s, is refused in the form that is read", async (_, method, headers, isFrame) => {
    const { post } = createFake();
    const answer = await post(call(method, {}), headers);
    const type = isFrame ? "text/event-stream" : "application/json";
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    const text = await answer.text();
    const [, data] = isFrame ? (/^data: (.*)\n\n$/.exec(text) ?? []) : [text, text];
    expect(JSON.parse(data ?? "")).toMatchObject({ jsonrpc: "2.0", id: 1, error: { code: -32602 } });
  });

  it("names the fields that are wrong", async () => {
    const { post } = createFake();
    const { error } = (await (await post(call("SendMessage", { message: { role: 7 } }), V1)).json()) as {
      error: { data: { fieldViolations?: { field: string }[] }[] };
    };
    const fields = error.data.flatMap(({ fieldViolations = [] }) =>
      fieldViolations.map(({ field }) => field),
    );
    expect(fields).toEqual(expect.arrayContaining(["message.messageId", "message.role", "message.parts"]));
  });

  it("suggests the method that was meant", async () => {
    const { post } = createFake();
    expect(await (await post(call("GetTusk"), V1)).text()).toContain("did you mean GetTask?");
  });

  it("is refused by HTTP's own status for its media type, its size and its method", async () => {
    const { fetch, post } = createFake({}, { bodyLimitBytes: 100 });
    const text = await post(call("GetTask"), { "content-type": "text/plain" });
    expect([text.status, ((await text.json()) as { error: { code: number } }).error.code]).toEqual([
      415, -32005,
    ]);
    const large = await post(call("GetTask", { id: "x".repeat(200) }), V1);
    expect([large.status, large.headers.get("connection")]).toEqual([413, "close"]);
    const get = await fetch("");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("does not wait for 50 MB to refuse them", async () => {
    const { fetch } = createFake();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024 * 1024;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
        if (sent >= 50 * 1024 * 1024) controller.close();
      },
    });
    const headers = { "content-type": "application/json" };
    const answer = await fetch("", { method: "POST", headers, body, duplex: "half" });
    expect(answer.status).toBe(413);
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  it("without an id is carried out and not answered, unless it is refused", async () => {
    const { post, asked } = createFake();
    const done = await post({ jsonrpc: "2.0", method: "SendMessage", params: { message } }, V1);
    expect([done.status, await done.text()]).toEqual([204, ""]);
    expect(asked).toMatchObject([
      { operation: "send", request: { configuration: { returnImmediately: true } } },
    ]);
    const streamed = await post({ jsonrpc: "2.0", method: "SendStreamingMessage", params: { message } }, V1);
    expect(streamed.status).toBe(204);
    expect(asked.at(-1)).toMatchObject({ operation: "send" });
    const refused = await post({ jsonrpc: "2.0", method: "message/ssend", params: {} });
    expect(await refused.json()).toMatchObject({ id: null, error: { code: -32601 } });
  });

  it.each((Object.keys(A2A_ERRORS) as A2aReason[]).map((reason) => [reason]))(
    "gets the service's error %s in JSON-RPC's form",
    async (reason) => {
      const { post } = createFake({ getTask: () => Promise.reject(new A2aError(reason, "because")) });
      const answer = await post(call("GetTask"), V1);
      expect(await answer.json()).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: A2A_ERRORS[reason].code,
          message: "because",
          data: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" }],
        },
      });
      const telling = {
        UNAUTHENTICATED: 401,
        PERMISSION_DENIED: 403,
        RESOURCE_EXHAUSTED: 429,
        UNAVAILABLE: 503,
      };
      expect(answer.status).toBe(telling[reason as keyof typeof telling] ?? 200);
    },
  );

  it("learns nothing of a failure of the service but the trace", async () => {
    const failure = new Error("the password is hunter2");
    const { post, reported } = createFake({ getTask: () => Promise.reject(failure) });
    const text = await (await post(call("GetTask"), V1)).text();
    expect(text).toContain("0".repeat(32));
    expect(text).not.toContain("hunter2");
    expect(reported).toEqual([failure]);
  });
});

describe("the version of a JSON-RPC request", () => {
  it.each([
    ["the header", "GetTask", { "a2a-version": "1.0" }, "1.0"],
    ["the header with a patch", "GetTask", { "a2a-version": "1.0.7" }, "1.0"],
    ["the header of 0.3", "tasks/get", { "a2a-version": "0.3" }, "0.3"],
    ["nothing: 0.3", "tasks/get", {}, "0.3"],
    ["an empty header: 0.3", "tasks/get", { "a2a-version": "" }, "0.3"],
    ["a method that only 1.0 has", "GetTask", {}, "1.0"],
  ] as const)("is told by %s", async (_, method, headers, version) => {
    const { post, asked } = createFake();
    const answer = await post(call(method), headers);
    expect(asked).toMatchObject([{ operation: "getTask", call: { version, binding: "JSONRPC" } }]);
    expect(answer.headers.get("a2a-version")).toBe(version);
    const guessed = version === "1.0" && !("a2a-version" in headers);
    expect(answer.headers.has("x-proctor-warning")).toBe(guessed);
  });

  it("may stand in the query", async () => {
    const { fetch, asked } = createFake();
    await fetch("?A2A-Version=1.0", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(call("GetTask")),
    });
    expect(asked).toMatchObject([{ call: { version: "1.0" } }]);
  });

  it.each([["99.0"], ["1"], ["1.1"], ["latest"], ["1.0, 0.3"]])(
    "is refused when it is %s",
    async (version) => {
      const { post } = createFake();
      const body = await (await post(call("GetTask"), { "a2a-version": version })).text();
      expect(JSON.parse(body)).toMatchObject({ id: 1, error: { code: -32009 } });
      expect(body).toContain("1.0, 0.3");
    },
  );

  it("decides which methods there are", async () => {
    const { post } = createFake();
    const old = await (await post(call("tasks/get"), V1)).json();
    expect(old).toMatchObject({
      error: { code: -32601, message: expect.stringContaining("there it is GetTask") },
    });
    const modern = await (await post(call("ListTasks", {}), { "a2a-version": "0.3" })).json();
    expect(modern).toMatchObject({ error: { code: -32601 } });
  });

  it("is refused where a server speaks only the other", async () => {
    const { post } = createFake({}, { versions: ["1.0"] });
    expect(await (await post(call("tasks/get"))).json()).toMatchObject({ error: { code: -32009 } });
    const legacy = createFake({}, { versions: ["0.3"] });
    expect(await (await legacy.post(call("GetTask"))).json()).toMatchObject({ error: { code: -32009 } });
  });
});

describe("what an A2A server checks by the card", () => {
  const bare = { ...createCard(), capabilities: {} };

  it.each([
    ["SendStreamingMessage", { message }, -32004],
    ["SubscribeToTask", { id: "t1" }, -32004],
    ["CreateTaskPushNotificationConfig", { taskId: "t1", url: "https://x.example" }, -32003],
    ["GetTaskPushNotificationConfig", { taskId: "t1", id: "p" }, -32003],
    ["ListTaskPushNotificationConfigs", { taskId: "t1" }, -32003],
    ["DeleteTaskPushNotificationConfig", { taskId: "t1", id: "p" }, -32003],
    ["GetExtendedAgentCard", {}, -32004],
    [
      "SendMessage",
      { message, configuration: { taskPushNotificationConfig: { url: "https://x.example" } } },
      -32003,
    ],
  ])("refuses %s of what it does not promise", async (method, params, code) => {
    const { post, asked } = createFake({}, { card: bare });
    expect(await (await post(call(method, params), V1)).json()).toMatchObject({ error: { code } });
    expect(asked).toEqual([]);
  });

  it("refuses clients that do not ask for a required extension, and names those in use", async () => {
    const uri = "urn:example:ext";
    const extensions = [{ uri, required: true }, { uri: "urn:example:other" }];
    const { post, asked } = createFake({}, { card: { ...createCard(), capabilities: { extensions } } });
    expect(await (await post(call("GetTask"), V1)).json()).toMatchObject({
      error: { code: -32008, message: expect.stringContaining(uri) },
    });
    const asks = { ...V1, "a2a-extensions": `urn:unknown, ${uri}` };
    const answer = await post(call("GetTask"), asks);
    expect(answer.headers.get("a2a-extensions")).toBe(uri);
    expect(asked).toMatchObject([{ call: { extensions: ["urn:unknown", uri] } }]);
    const legacy = await post(call("tasks/get"), { "x-a2a-extensions": uri });
    expect(legacy.headers.get("x-a2a-extensions")).toBe(uri);
  });
});

function createCard() {
  return {
    name: "x",
    description: "x",
    version: "1",
    supportedInterfaces: [],
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    capabilities: {},
  };
}
