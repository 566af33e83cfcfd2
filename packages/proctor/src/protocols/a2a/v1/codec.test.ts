import { describe, expect, it } from "vitest";
import { caught, fieldsOf } from "../../../../test/support/a2a/caught.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { RequestOperation, WireProblem } from "../codec.ts";
import { MAX_NOTES } from "../reading.ts";
import { v1 } from "./codec.ts";

const MESSAGE = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
const TASK = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };

const send = (message: Json, more: JsonObject = {}) => v1.decodeRequest("send", { message, ...more });
const withParts = (...parts: Json[]) => send({ ...MESSAGE, parts });

describe("a request of A2A 1.0", () => {
  it("is refused with every field that is wrong, in words", () => {
    const action = () =>
      v1.decodeRequest("send", {
        tenant: 7,
        message: { role: "user", parts: [{}, { text: 1 }, "hi"], metadata: [], extensions: ["a", 2] },
        configuration: { historyLength: -1, returnImmediately: "no", taskPushNotificationConfig: {} },
      });
    expect(fieldsOf(action)).toEqual([
      "tenant: must be a text, and is a number",
      "message.messageId: is missing",
      'message.role: must be "ROLE_USER" or "ROLE_AGENT"',
      "message.parts[0]: must have text, raw, url or data",
      "message.parts[1].text: must be a text, and is a number",
      "message.parts[2]: must be an object, and is a text",
      "message.metadata: must be an object, and is a list",
      "message.extensions[1]: must be a text, and is a number",
      "configuration.taskPushNotificationConfig.url: is missing",
      "configuration.historyLength: must be at least 0",
      "configuration.returnImmediately: must be true or false, and is a text",
    ]);
    expect(caught(action)).toMatchObject({
      reason: "INVALID_PARAMS",
      code: -32602,
      message: expect.stringMatching(
        /^tenant must be a text.*; message\.messageId is missing; .*; and 8 more$/,
      ) as string,
    });
  });

  it.each<[string, Json]>([
    ["no object", "hello"],
    ["a list", []],
    ["null", null],
  ])("that is %s is refused", (_, params) => {
    expect(caught(() => v1.decodeRequest("getTask", params)).message).toMatch(
      /^The parameters must be an object/,
    );
  });

  it.each<[string, JsonObject, string]>([
    ["without parts", { messageId: "m", role: "ROLE_USER" }, "message.parts: is missing"],
    ["with no part in it", { ...MESSAGE, parts: [] }, "message.parts: must have at least one part"],
    ["without a messageId", { role: "ROLE_USER", parts: MESSAGE.parts }, "message.messageId: is missing"],
    ["with an empty messageId", { ...MESSAGE, messageId: "" }, "message.messageId: must not be empty"],
    ["without a role", { messageId: "m", parts: MESSAGE.parts }, "message.role: is missing"],
    [
      "of no role",
      { ...MESSAGE, role: "ROLE_UNSPECIFIED" },
      'message.role: must be "ROLE_USER" or "ROLE_AGENT"',
    ],
  ])("has no message %s", (_, message, field) => {
    expect(fieldsOf(() => send(message))).toEqual([field]);
  });

  it("has one content in each part", () => {
    expect(fieldsOf(() => withParts({ text: "a", url: "b" }, { filename: "a" }))).toEqual([
      "message.parts[0]: must have one of text, raw, url and data, and has text and url",
      "message.parts[1]: must have text, raw, url or data",
    ]);
  });

  it("may have null as data, and parts of a kind that nobody knows", () => {
    const parts = [{ data: null }, { hologram: { depth: 3 }, mediaType: "x/y" }];
    expect(withParts(...parts).message.parts).toEqual(parts);
  });

  it.each(["a b=", "!!!!", "AAAAA", "=AAA", "AA=A", "A==="])("has base64 in raw, which %j is not", (raw) => {
    expect(fieldsOf(() => withParts({ raw }))).toEqual(["message.parts[0].raw: must be base64"]);
  });

  it.each(["", "aGk=", "aGk", "-_8", "-_8="])("takes %j as base64, as ProtoJSON does", (raw) => {
    expect(withParts({ raw }).message.parts).toEqual([{ raw }]);
  });

  it("may have ProtoJSON's other spellings: names of the .proto, numbers of enums, null, numbers as texts", () => {
    const request = v1.decodeRequest("send", {
      message: {
        message_id: "m",
        role: 1,
        parts: [{ text: "x", media_type: "text/plain" }],
        context_id: null,
      },
      configuration: { history_length: "5", return_immediately: true },
    });
    expect(request).toEqual({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x", mediaType: "text/plain" }] },
      configuration: { historyLength: 5, returnImmediately: true },
    });
  });

  it("says nothing where it has proto3's defaults", () => {
    expect(send({ ...MESSAGE, contextId: "", taskId: "" }, { tenant: "" })).toEqual({ message: MESSAGE });
    expect(v1.decodeRequest("listTasks", { status: "TASK_STATE_UNSPECIFIED", contextId: "" })).toEqual({});
  });

  it.each<[RequestOperation, Json, string[]]>([
    ["getTask", {}, ["id: is missing"]],
    [
      "getTask",
      { id: 5, historyLength: 1.5 },
      ["id: must be a text, and is a number", "historyLength: must be a whole number, and is a number"],
    ],
    [
      "cancelTask",
      { id: "", metadata: 1 },
      ["id: must not be empty", "metadata: must be an object, and is a number"],
    ],
    ["subscribe", {}, ["id: is missing"]],
    ["createPushConfig", { url: "" }, ["taskId: is missing", "url: must not be empty"]],
    [
      "createPushConfig",
      { taskId: "t", url: "u", authentication: { credentials: "c" } },
      ["authentication.scheme: is missing"],
    ],
    ["getPushConfig", { taskId: "t" }, ["id: is missing"]],
    ["deletePushConfig", { id: "c" }, ["taskId: is missing"]],
    ["listPushConfigs", { taskId: "t", pageSize: -1 }, ["pageSize: must be at least 0"]],
    [
      "listTasks",
      { pageSize: 150, historyLength: -5, status: "TASK_STATE_RUNNING", statusTimestampAfter: "yesterday" },
      [
        "status: must be one of TASK_STATE_SUBMITTED, TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_FAILED, TASK_STATE_CANCELED, TASK_STATE_INPUT_REQUIRED, TASK_STATE_REJECTED, TASK_STATE_AUTH_REQUIRED",
        "pageSize: must be between 1 and 100",
        "historyLength: must be at least 0",
        "statusTimestampAfter: must be a time such as 2025-10-28T10:30:00.000Z",
      ],
    ],
    ["listTasks", { pageSize: 0 }, ["pageSize: must be between 1 and 100"]],
  ])("to %s is refused where it is wrong: %j", (operation, params, fields) => {
    expect(fieldsOf(() => v1.decodeRequest(operation, params))).toEqual(fields);
  });

  it("that is wrong in a million places names some of them", () => {
    const error = caught(() => send({ ...MESSAGE, parts: Array.from({ length: 1_000_000 }, () => ({})) }));
    expect(error.fields).toHaveLength(MAX_NOTES);
    expect(error.message).toMatch(/; and 999997 more$/);
  });
});

describe("an answer of A2A 1.0", () => {
  const read = (task: JsonObject): { task: JsonObject; notes: string[] } => {
    const problems: WireProblem[] = [];
    const result = v1.decodeResult("getTask", task, problems);
    return { task: result, notes: problems.map(({ message, section }) => `${message} (${section})`) };
  };

  it("is used as far as it can be, and each departure is noted with its section", () => {
    const { task, notes } = read({
      id: "t",
      context_id: "c",
      status: { state: 3, timestamp: 5 },
      artifacts: [{ parts: [{ text: "a", url: "b" }, {}] }, "junk"],
      history: [{ role: "agent", parts: [] }],
      metadata: null,
    });
    expect(task).toEqual({
      id: "t",
      contextId: "c",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ artifactId: "", parts: [{ text: "a" }] }],
      history: [{ messageId: "", role: "ROLE_AGENT", parts: [] }],
    });
    expect(notes).toEqual([
      "result.context_id must be called contextId (4.1.1)",
      "result.status.state must be the name of a state, and is its number (4.1.2)",
      "result.status.timestamp must be a text, and is a number (4.1.2)",
      "result.artifacts[0].artifactId is missing (4.1.7)",
      "result.artifacts[0].parts[0] must have one of text, raw, url and data, and has text and url (4.1.6)",
      "result.artifacts[0].parts[1] must have text, raw, url or data (4.1.6)",
      "result.artifacts[1] must be an object, and is a text (4.1.7)",
      "result.history[0].messageId is missing (4.1.4)",
      "result.history[0].role must be called ROLE_AGENT (4.1.4)",
      "result.history[0].parts must have at least one part (4.1.4)",
      "result.metadata must be left out, and is null (4.1.1)",
    ]);
  });

  it("keeps a state that nobody knows, and takes 0.3's names for what they mean", () => {
    expect(read({ ...TASK, status: { state: "TASK_STATE_PAUSED" } })).toMatchObject({
      task: { status: { state: "TASK_STATE_PAUSED" } },
      notes: ["result.status.state is no state of this version (4.1.2)"],
    });
    expect(read({ ...TASK, status: { state: "cancelled" } })).toMatchObject({
      task: { status: { state: "TASK_STATE_CANCELED" } },
      notes: ["result.status.state must be called TASK_STATE_CANCELED (4.1.2)"],
    });
  });

  it.each<[string, Json]>([
    ["no object", "done"],
    ["no id", { status: TASK.status }],
    ["no status", { id: "t" }],
  ])("cannot be used with %s", (_, task) => {
    expect(caught(() => v1.decodeResult("getTask", task)).reason).toBe("INVALID_AGENT_RESPONSE");
  });

  it("to a message is a task or a message", () => {
    expect(caught(() => v1.decodeResult("send", {})).message).toBe("result must have one of task, message");
    expect(caught(() => v1.decodeResult("send", { status: {} })).reason).toBe("INVALID_AGENT_RESPONSE");
    expect(v1.decodeResult("send", { task: TASK })).toEqual({ task: TASK });
  });

  it("fills in what a page of tasks lacks", () => {
    const problems: WireProblem[] = [];
    const page = { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
    expect(v1.decodeResult("listTasks", {}, problems)).toEqual(page);
    expect(problems.map(({ path }) => path)).toEqual([
      "result.tasks",
      "result.nextPageToken",
      "result.pageSize",
      "result.totalSize",
    ]);
  });

  it("to the deletion of a push configuration says nothing", () => {
    expect(v1.decodeResult("deletePushConfig", null)).toBeUndefined();
    expect(v1.encodeResult("deletePushConfig", undefined)).toEqual({});
  });

  it("may list no push configurations without saying so", () => {
    const problems: WireProblem[] = [];
    expect(v1.decodeResult("listPushConfigs", {}, problems)).toEqual({ configs: [] });
    expect(problems).toEqual([]);
  });
});

describe("a frame of A2A 1.0", () => {
  it("of a later version is kept, and noted", () => {
    const problems: WireProblem[] = [];
    const frame = { heartbeat: { at: 1 } };
    expect(v1.decodeFrame(frame, problems)).toBe(frame);
    expect(problems).toEqual([
      {
        path: "result",
        message: "result must have one of task, message, statusUpdate, artifactUpdate",
        section: "3.2.3",
      },
    ]);
  });

  it.each<[string, Json]>([
    ["is empty", {}],
    ["has an update without a status", { statusUpdate: { taskId: "t", contextId: "c" } }],
    [
      "has such an update beside something unknown",
      { statusUpdate: { taskId: "t", contextId: "c" }, later: 1 },
    ],
    ["is a list", []],
  ])("that %s cannot be used", (_, frame) => {
    expect(caught(() => v1.decodeFrame(frame)).reason).toBe("INVALID_AGENT_RESPONSE");
  });
});

describe("a card of A2A 1.0", () => {
  const CARD = {
    name: "a",
    supportedInterfaces: [{ url: "u", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  };

  it("is used with an address alone", () => {
    const problems: WireProblem[] = [];
    expect(v1.decodeCard(CARD, problems)).toEqual({
      ...CARD,
      description: "",
      version: "",
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
    expect(problems.map(({ path }) => path)).toEqual(
      ["description", "version", "capabilities", "defaultInputModes", "defaultOutputModes", "skills"].map(
        (name) => `card.${name}`,
      ),
    );
  });

  it.each<[string, Json]>([
    ["without interfaces", { name: "a", url: "https://a.example" }],
    ["that is no object", "card"],
  ])("%s cannot be used", (_, card) => {
    expect(caught(() => v1.decodeCard(card)).reason).toBe("INVALID_AGENT_RESPONSE");
  });
});
