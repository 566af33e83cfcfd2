// An agent that is wrong in one thing is found by the assertion of ACTS that is about it.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { refusal, success, type Sin } from "../../../../test/fixtures/agents/sinful/sin.ts";
import { folderOf, withSteps } from "../../../../test/support/a2a/acts-files.ts";
import { actsResults, outcomes } from "../../../../test/support/a2a/acts-trial.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";

const state = (result: JsonObject, name: string): void => {
  const task = (result["task"] ?? result) as JsonObject;
  task["status"] = { ...(task["status"] as JsonObject), state: name };
};

/** What is wrong with an agent, and what is said of it. */
const BROKEN: [what: string, id: string, sin: Sin, says: RegExp][] = [
  [
    "body",
    "OPS-SEND-001",
    { result: (result) => state(result, "TASK_STATE_FAILED") },
    /step send: task\.status\.state is "TASK_STATE_FAILED", and not "TASK_STATE_COMPLETED"/,
  ],
  [
    "status",
    "OPS-SEND-001",
    { answer: (answer, { operation }) => void (operation === "send" && (answer.status = 203)) },
    /status is 203, and not 200/,
  ],
  [
    "capture",
    "OPS-LIST-001",
    {
      result: (result, { operation }) =>
        void (operation === "send" && delete (result["task"] as JsonObject)["contextId"]),
    },
    /nothing to capture as contextId: there is nothing at task\.contextId/,
  ],
  [
    "headers",
    "OPS-CARD-001",
    { card: (_card, answer) => void delete answer.headers["etag"] },
    /headers\.etag is missing, and not there/,
  ],
  [
    "error_type",
    "OPS-ERR-001",
    {
      request: (asked) => (asked.operation === "getTask" ? refusal(asked, "INTERNAL", "no task") : undefined),
    },
    /error_type is "InternalError", and not one of/,
  ],
  [
    "message",
    "OPS-ERR-001",
    {
      request: (asked) =>
        asked.operation === "getTask" ? refusal(asked, "TASK_NOT_FOUND", "nothing") : undefined,
    },
    /message is "nothing", and not a text that contains "task"/,
  ],
  [
    "details",
    "OPS-SEND-001",
    {
      answer: (answer, { operation }) => {
        if (operation === "cancelTask") answer.text = answer.text.replaceAll("a2a-protocol.org", "elsewhere");
      },
    },
    /details/,
  ],
  [
    "error that does not come",
    "OPS-ERR-001",
    {
      request: (asked) =>
        asked.operation === "getTask"
          ? success(asked, { id: "x", status: { state: "TASK_STATE_WORKING" } })
          : undefined,
    },
    /it was not refused/,
  ],
  [
    "error that nobody expects",
    "OPS-TURN-001",
    { request: (asked) => (asked.operation === "send" ? refusal(asked, "INTERNAL") : undefined) },
    /it was refused: INTERNAL/,
  ],
  [
    "named assertion",
    "OPS-LIST-001",
    {
      result: (result, { operation }) =>
        void (
          operation === "listTasks" &&
          (result["tasks"] = [{ id: "x", contextId: "y", status: { state: "TASK_STATE_COMPLETED" } }])
        ),
    },
    /step list: tasks\[\*\]\.id is "x"/,
  ],
  [
    "empty collection",
    "OPS-LIST-001",
    { result: (result, { operation }) => void (operation === "listTasks" && (result["tasks"] = [])) },
    /tasks is \[\], and not a list of at least 1/,
  ],
  [
    "test's own assertion",
    "OPS-SEND-001",
    {
      result: (result, { operation }) => void (operation === "getTask" && (result["contextId"] = "another")),
    },
    /task\.contextId is ".+", and not "another"/,
  ],
  [
    "raw body",
    "WIRE-RPC-001",
    { answer: (answer) => void (answer.text = answer.text.replace("-32601", "-32000")) },
    /error\.code is -32000, and not -32601/,
  ],
  [
    "raw status",
    "WIRE-REST-001",
    { answer: (answer) => void (answer.status === 404 && (answer.status = 400)) },
    /status is 400, and not 404/,
  ],
  [
    "raw stream",
    "WIRE-SSE-001",
    { frameText: (text) => text.replace('"jsonrpc":"2.0"', '"jsonrpc":"1.0"') },
    /events\[0\]\.jsonrpc is "1\.0"/,
  ],
  [
    "min_count",
    "STREAMS-ONE-001",
    { frame: (frame) => ("task" in frame ? [frame] : []) },
    /events is 1, and not at least 3/,
  ],
  [
    "max_count",
    "STREAMS-ONE-001",
    { frame: (frame) => ("task" in frame ? Array.from({ length: 9 }, () => frame) : undefined) },
    /events is 7, and not at most 6/,
  ],
  [
    "ordering",
    "STREAMS-ONE-001",
    { frame: (frame) => ("artifactUpdate" in frame ? [frame, submitted(frame)] : undefined) },
    /is "TASK_STATE_SUBMITTED", and not a state that follows TASK_STATE_WORKING/,
  ],
  [
    "event anywhere",
    "STREAMS-ONE-001",
    { frame: (frame) => ("artifactUpdate" in frame ? [] : undefined) },
    /no event is like this: an artifact/,
  ],
  [
    "final_event",
    "STREAMS-ONE-001",
    { frame: (frame) => endedAs(frame, "TASK_STATE_FAILED") },
    /final_event\.status\.state is "TASK_STATE_FAILED"/,
  ],
  [
    "each_event",
    "STREAMS-ONE-001",
    {
      frame: (frame) =>
        void ("artifactUpdate" in frame && delete (frame["artifactUpdate"] as JsonObject)["contextId"]),
    },
    /events\[\d\]\.contextId is missing/,
  ],
  [
    "refused stream",
    "STREAMS-ONE-001",
    { request: (asked) => (asked.operation === "stream" ? refusal(asked, "INTERNAL") : undefined) },
    /the stream broke after 0 events: INTERNAL/,
  ],
  [
    "stream of several",
    "STREAMS-MANY-001",
    { frame: (frame) => endedAs(frame, "TASK_STATE_CANCELED") },
    /final_event\.status\.state is "TASK_STATE_CANCELED"/,
  ],
  [
    "webhook",
    "PUSHED-END-001",
    {
      request: (asked) =>
        asked.operation === "send" ? void (asked.text = asked.text.replace("t0ken-1", "another")) : undefined,
    },
    /notifications\[0\]\.token is "another", and not "t0ken-1"/,
  ],
];

function submitted(frame: JsonObject): JsonObject {
  const { taskId, contextId } = frame["artifactUpdate"] as JsonObject;
  return { statusUpdate: { taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } } };
}

/** The frame that ends a task, with another state. */
function endedAs(frame: JsonObject, name: string): JsonObject[] | undefined {
  const update = frame["statusUpdate"] as JsonObject | undefined;
  if ((update?.["status"] as JsonObject | undefined)?.["state"] !== "TASK_STATE_COMPLETED") return undefined;
  return [{ statusUpdate: { ...update, status: { state: name } } }];
}

describe("A test of ACTS finds an agent that is wrong by its", { timeout: 2 * HANG_MS }, () => {
  it.each(BROKEN)("%s (%s)", async (_what, id, sin, says) => {
    const [found] = await actsResults(sin, { only: [`acts.${id}`] });
    expect(found?.outcome).toBe("fail");
    // What is asserted about several answers, or about notifications, has no one request behind it.
    expect(found?.reproduce ?? "curl").toMatch(/^curl/);
    expect(found?.reason).toMatch(says);
    expect(found?.reason).toMatch(/\nthe test is at .*\.acts\.yaml:\d+$/);
  });

  it("silence, and not by its own patience", async () => {
    const steps =
      "- id: a\n  operation: send_streaming_message\n  params: {message: {role: ROLE_USER, parts: [{text: tck-cancel}]}}\n  expect_stream: {timeout_ms: 2000}\n";
    const found = await actsResults({}, { folder: folderOf({ "a.yaml": withSteps(steps) }) });
    expect(outcomes(found)["T-1"]).toMatch(/^fail: .*the stream did not end within the limit/);
  });

  it("answer that never becomes what is waited for", async () => {
    const steps =
      "- id: send\n  operation: send_message\n  params: {message: {role: ROLE_USER, parts: [{text: tck-complete-task}]}}\n  repeat: {until: task.status.state == NEVER, max_attempts: 3, delay_ms: 1, backoff: exponential}\n";
    const found = await actsResults({}, { folder: folderOf({ "a.yaml": withSteps(steps) }) });
    expect(outcomes(found)["T-1"]).toMatch(
      /^fail: .*asked again and again, and never was task\.status\.state == NEVER/,
    );
  });

  it("silence after a request as it is written", async () => {
    const steps = "- id: a\n  raw: {method: GET, path: /tasks/x}\n";
    const silent: Sin = {
      request: (asked) => (asked.operation === "getTask" ? new Promise(() => {}) : undefined),
    };
    const folder = folderOf({ "a.yaml": withSteps(steps, "transport: [rest]\n") });
    const found = await actsResults(silent, { folder, timeoutMs: 3000 });
    expect(outcomes(found)["T-1"]).toMatch(/^fail: .*no answer within the limit/);
  });
});
