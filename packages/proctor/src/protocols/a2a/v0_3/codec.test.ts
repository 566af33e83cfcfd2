import { describe, expect, it } from "vitest";
import { caught, fieldsOf } from "../../../../test/support/a2a/caught.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { Loss, RequestOperation, WireProblem } from "../codec.ts";
import type { StreamResponse, TaskState } from "../model.ts";
import { v03 } from "./codec.ts";

const MESSAGE = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] };
const TASK = { kind: "task", id: "t", contextId: "c", status: { state: "working" } };

describe("a request of A2A 0.3", () => {
  it("to send a message has 1.0's shape inside", () => {
    const request = {
      message: { ...MESSAGE, contextId: "c", later: 1 },
      configuration: {
        acceptedOutputModes: ["text/plain"],
        blocking: true,
        historyLength: 2,
        pushNotificationConfig: {
          id: "p",
          url: "https://a.example/hook",
          token: "x",
          authentication: { schemes: ["Bearer"], credentials: "s" },
        },
      },
      metadata: { a: 1 },
    };
    const decoded = v03.decodeRequest("send", request);
    expect(decoded).toEqual({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }], contextId: "c", later: 1 },
      configuration: {
        acceptedOutputModes: ["text/plain"],
        returnImmediately: false,
        historyLength: 2,
        taskPushNotificationConfig: {
          id: "p",
          url: "https://a.example/hook",
          token: "x",
          authentication: { scheme: "Bearer", credentials: "s" },
        },
      },
      metadata: { a: 1 },
    });
    expect(v03.encodeRequest("send", decoded)).toEqual(request);
  });

  it("says nothing about waiting where `blocking` is missing", () => {
    const request = { message: MESSAGE, configuration: { historyLength: 1 } };
    const decoded = v03.decodeRequest("send", request);
    expect(decoded.configuration).toEqual({ historyLength: 1 });
    expect(v03.encodeRequest("send", decoded)).toEqual(request);
  });

  it("is refused with every field that is wrong, in words", () => {
    const parts = [
      {},
      { kind: "text" },
      { kind: "file", file: { name: "a" } },
      { kind: "file", file: { bytes: "aGk=", uri: "u" } },
      { kind: "data", data: [1] },
      { kind: 5, text: "x" },
    ];
    expect(
      fieldsOf(() => v03.decodeRequest("send", { message: { kind: "task", role: "ROLE_USER", parts } })),
    ).toEqual([
      'message.kind: must be "message"',
      "message.messageId: is missing",
      'message.role: must be "user" or "agent"',
      'message.parts[0].kind: must be "text", "file" or "data"',
      "message.parts[1].text: is missing",
      "message.parts[2].file: must have bytes or uri",
      "message.parts[3].file: must have bytes or uri, and has both",
      "message.parts[4].data: must be an object, and is a list",
      'message.parts[5].kind: must be "text", "file" or "data"',
    ]);
  });

  it("may leave out `kind` where it can be nothing else", () => {
    const { kind: _, ...message } = MESSAGE;
    expect(
      v03.decodeRequest("send", { message: { ...message, parts: [{ text: "hi" }, { data: {} }] } }).message
        .parts,
    ).toEqual([{ text: "hi" }, { data: {} }]);
  });

  it.each<[RequestOperation, JsonObject, JsonObject]>([
    [
      "getTask",
      { id: "t", historyLength: 3, metadata: { a: 1 } },
      { id: "t", historyLength: 3, metadata: { a: 1 } },
    ],
    ["cancelTask", { id: "t" }, { id: "t" }],
    ["subscribe", { id: "t" }, { id: "t" }],
    ["getPushConfig", { id: "t", pushNotificationConfigId: "p" }, { taskId: "t", id: "p" }],
    ["getPushConfig", { id: "t" }, { taskId: "t", id: "t" }],
    ["deletePushConfig", { id: "t", pushNotificationConfigId: "p" }, { taskId: "t", id: "p" }],
    ["listPushConfigs", { id: "t" }, { taskId: "t" }],
    [
      "createPushConfig",
      { taskId: "t", pushNotificationConfig: { id: "p", url: "u", authentication: { schemes: ["Basic"] } } },
      { taskId: "t", id: "p", url: "u", authentication: { scheme: "Basic" } },
    ],
    ["listTasks", { status: "input-required" }, { status: "TASK_STATE_INPUT_REQUIRED" }],
  ])("to %s has 1.0's parameters inside: %j", (operation, wire, model) => {
    const decoded = v03.decodeRequest(operation, wire);
    expect(JSON.parse(JSON.stringify(decoded))).toEqual(model);
    expect(v03.encodeRequest(operation, decoded)).toEqual(wire);
  });

  it.each<[RequestOperation, Json, string[]]>([
    ["getTask", {}, ["id: is missing"]],
    ["deletePushConfig", { id: "t" }, ["pushNotificationConfigId: is missing"]],
    [
      "createPushConfig",
      { taskId: "t", pushNotificationConfig: {} },
      ["pushNotificationConfig.url: is missing"],
    ],
  ])("to %s is refused by 0.3's names: %j", (operation, params, fields) => {
    expect(fieldsOf(() => v03.decodeRequest(operation, params))).toEqual(fields);
  });

  it("loses what 0.3 has no place for", () => {
    const losses: Loss[] = [];
    v03.encodeRequest("listPushConfigs", { tenant: "x", taskId: "t", pageSize: 5, pageToken: "p" }, losses);
    v03.encodeRequest("getTask", { tenant: "x", id: "t" }, losses);
    expect(losses.map(({ path }) => path)).toEqual(["tenant", "pageSize", "pageToken", "tenant"]);
    expect(losses[0]?.message).toBe("has no place in A2A 0.3, and is left out");
  });
});

describe("an answer of A2A 0.3", () => {
  it.each<[string, TaskState]>([
    ["submitted", "TASK_STATE_SUBMITTED"],
    ["working", "TASK_STATE_WORKING"],
    ["input-required", "TASK_STATE_INPUT_REQUIRED"],
    ["completed", "TASK_STATE_COMPLETED"],
    ["canceled", "TASK_STATE_CANCELED"],
    ["failed", "TASK_STATE_FAILED"],
    ["rejected", "TASK_STATE_REJECTED"],
    ["auth-required", "TASK_STATE_AUTH_REQUIRED"],
    ["unknown", "TASK_STATE_UNSPECIFIED"],
    ["paused", "paused"],
  ])("that is %s is %s inside", (name, state) => {
    const task = { ...TASK, status: { state: name } };
    const decoded = v03.decodeResult("getTask", task);
    expect(decoded.status.state).toBe(state);
    expect(v03.encodeResult("getTask", decoded)).toEqual(task);
  });

  it.each(["cancelled", "TASK_STATE_CANCELLED", "TASK_STATE_CANCELED"])(
    "may say %s, and it is noted",
    (state) => {
      const problems: WireProblem[] = [];
      const task = v03.decodeResult("getTask", { ...TASK, status: { state } }, problems);
      expect(task.status.state).toBe("TASK_STATE_CANCELED");
      expect(problems).toEqual([
        {
          path: "result.status.state",
          message: "result.status.state is not how this version calls it",
          section: "6.2",
        },
      ]);
    },
  );

  it("keeps a state that 0.3 does not have, and says so", () => {
    const losses: Loss[] = [];
    const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_PAUSED" } };
    expect(v03.encodeResult("getTask", task, losses)).toMatchObject({
      status: { state: "TASK_STATE_PAUSED" },
    });
    expect(losses).toEqual([
      { path: "result.status.state", message: "is a state that A2A 0.3 does not have, and stays as it is" },
    ]);
  });

  it("to a message is a task or a message, told by kind, or by its fields where that is missing", () => {
    expect(v03.decodeResult("send", TASK)).toHaveProperty("task.id", "t");
    expect(v03.decodeResult("send", { ...MESSAGE, role: "agent" })).toHaveProperty(
      "message.role",
      "ROLE_AGENT",
    );
    const problems: WireProblem[] = [];
    const { kind: _, ...task } = TASK;
    expect(v03.decodeResult("send", task, problems)).toHaveProperty("task.id", "t");
    expect(problems.map(({ message }) => message)).toEqual(["result.kind is missing"]);
    expect(caught(() => v03.decodeResult("send", { kind: "status-update" })).reason).toBe(
      "INVALID_AGENT_RESPONSE",
    );
  });

  it("lists push configurations as a list", () => {
    const list = [{ taskId: "t", pushNotificationConfig: { url: "u" } }];
    const decoded = v03.decodeResult("listPushConfigs", list);
    expect(decoded).toEqual({ configs: [{ taskId: "t", url: "u" }] });
    const losses: Loss[] = [];
    expect(v03.encodeResult("listPushConfigs", { ...decoded, nextPageToken: "more" }, losses)).toEqual(list);
    expect(losses.map(({ path }) => path)).toEqual(["result.nextPageToken"]);
  });

  it("to the deletion of a push configuration is null", () => {
    expect(v03.encodeResult("deletePushConfig", undefined)).toBeNull();
    expect(v03.decodeResult("deletePushConfig", null)).toBeUndefined();
  });

  it("may list tasks without a page around them", () => {
    expect(v03.decodeResult("listTasks", [TASK])).toMatchObject({
      tasks: [{ id: "t" }],
      nextPageToken: "",
      totalSize: 1,
    });
  });

  it("has an empty contextId where there is none", () => {
    const losses: Loss[] = [];
    const wire = v03.encodeResult("getTask", { id: "t", status: { state: "TASK_STATE_WORKING" } }, losses);
    expect(wire).toMatchObject({ kind: "task", contextId: "" });
    expect(losses.map(({ path }) => path)).toEqual(["result.contextId"]);
    const back = v03.decodeResult("getTask", wire);
    expect(back).not.toHaveProperty("contextId");
    expect(v03.encodeResult("getTask", back, losses)).toEqual(wire);
    expect(losses).toHaveLength(1);
  });
});

describe("the end of a stream of A2A 0.3", () => {
  const update = (state: TaskState): StreamResponse => ({
    statusUpdate: { taskId: "t", contextId: "c", status: { state } },
  });

  it.each<[TaskState, boolean]>([
    ["TASK_STATE_COMPLETED", true],
    ["TASK_STATE_FAILED", true],
    ["TASK_STATE_CANCELED", true],
    ["TASK_STATE_REJECTED", true],
    ["TASK_STATE_INPUT_REQUIRED", true],
    ["TASK_STATE_AUTH_REQUIRED", false],
    ["TASK_STATE_WORKING", false],
    ["TASK_STATE_PAUSED", false],
  ])("is told by the state: %s is final: %s", (state, final) => {
    expect(v03.encodeFrame(update(state))).toMatchObject({ kind: "status-update", final });
  });

  it("is kept where the agent says something else, also when the update is changed", () => {
    const wire = {
      kind: "status-update",
      taskId: "t",
      contextId: "c",
      status: { state: "working" },
      final: true,
    };
    const { statusUpdate } = v03.decodeFrame(wire);
    expect(JSON.stringify(statusUpdate)).not.toContain("final");
    const changed = { statusUpdate: { ...statusUpdate, taskId: "u" } } as StreamResponse;
    expect(v03.encodeFrame(changed)).toEqual({ ...wire, taskId: "u" });
  });
});
