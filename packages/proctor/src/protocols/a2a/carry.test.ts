import { describe, expect, it } from "vitest";
import { caught } from "../../../test/support/a2a/caught.ts";
import { carry } from "../../../test/support/a2a/carry.ts";

const HI_03 = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "hi" }] };
const HI_1 = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };

describe("a message carried between the versions of A2A", () => {
  it("is the other's, with nothing to report where nothing is lost", () => {
    expect(carry({ message: HI_03 }, { request: "send" }, "0.3", "1.0")).toEqual({
      json: { message: HI_1 },
      losses: [],
      problems: [],
    });
    expect(carry({ message: HI_1 }, { request: "send" }, "1.0", "0.3").json).toEqual({ message: HI_03 });
  });

  it("reports what is lost on the way up", () => {
    const frame = {
      kind: "status-update",
      taskId: "t",
      contextId: "c",
      status: { state: "working" },
      final: true,
    };
    const { json, losses } = carry(frame, "frame", "0.3", "1.0");
    expect(JSON.stringify(json)).toBe(
      '{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}',
    );
    expect(losses).toEqual([
      { path: "result.statusUpdate.final", message: "has no place in A2A 1.0, and is left out" },
    ]);
  });

  it("reports what is lost on the way down, and where it stood", () => {
    const task = {
      id: "t",
      contextId: "c",
      status: { state: "TASK_STATE_WORKING" },
      history: [{ ...HI_1, parts: [{ data: 5 }] }],
    };
    const { json, losses } = carry({ task }, { result: "send" }, "1.0", "0.3");
    expect(json).toMatchObject({ kind: "task", status: { state: "working" } });
    expect(losses).toEqual([
      {
        path: "result.task.history[0].parts[0].data",
        message: "must be an object in A2A 0.3, and is written as its field `value`",
      },
    ]);
  });

  it("brings along what its agent got wrong", () => {
    const { problems } = carry({ ...HI_03, role: "agent", messageId: "" }, { result: "send" }, "0.3", "1.0");
    expect(problems).toEqual([
      { path: "result.messageId", message: "result.messageId must not be empty", section: "6.4" },
    ]);
  });

  it("is refused where it is none of its version", () => {
    expect(caught(() => carry({ message: HI_1 }, { request: "send" }, "0.3", "1.0"))).toMatchObject({
      reason: "INVALID_PARAMS",
      fields: [{ field: "message.role", description: 'must be "user" or "agent"' }],
    });
  });
});
