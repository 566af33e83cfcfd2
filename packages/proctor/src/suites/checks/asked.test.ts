// What agents asked, and what was said in a conversation; the examples of checks.md among it.
import { describe, expect, test } from "vitest";
import { checkExamples } from "../../../test/support/check-examples.ts";
import { check, structured, type Given } from "../../../test/support/suites/check-subject.ts";
import type { EventDraft } from "../../core/event.ts";
import { textPart } from "../../core/message.ts";
import type { Question } from "../../core/question.ts";
import { findCheck } from "./registry.ts";

const ask = (id: string, text: string, more: Partial<Question> = {}): EventDraft => ({
  type: "question.asked",
  payload: {
    question: {
      id,
      kind: "input",
      parts: [textPart(text)],
      blocking: true,
      audience: "simulator",
      expires_at: "2026-01-01T01:00:00.000Z",
      ...more,
    },
  },
});

const conversation: Given = {
  run: { id: "r", task: { description: "Cancel my order" } },
  artifacts: [structured("a", "result", { output: "It is cancelled" })],
  events: [
    { type: "run.started", payload: { worker: "w" } },
    ask("q1", "Which order?"),
    {
      type: "question.answered",
      payload: {
        id: "q1",
        answer: { id: "a1", by: { kind: "simulator" }, outcome: "given", parts: [textPart("4711")] },
      },
    },
    ask("q2", "Cancel it?", {
      kind: "permission",
      subject: { tool: "cancel_order", path: "/orders/4711" },
      options: [{ id: "y", name: "Yes", effect: "allow" }],
    }),
    {
      type: "question.answered",
      payload: { id: "q2", answer: { id: "a2", by: { kind: "simulator" }, outcome: "declined" } },
    },
  ],
};

describe("a check on questions", () => {
  test.each(checkExamples().filter(({ head }) => head.startsWith("# of a conversation")))(
    "comes out as checks.md says: $check.type $check.config",
    async ({ check: { type, config = {} }, expected }) => {
      expect(await check(type, config, conversation)).toEqual(expected);
    },
  );

  test("says that nothing was asked, and needs to know what for", async () => {
    const message = "0 questions, at least 1 expected; the agent asked nothing";
    expect(await check("asked", {}, {})).toEqual({ outcome: "fail", message });
    expect(await check("asked", { times: 0 }, {})).toMatchObject({ outcome: "pass" });
    expect(findCheck("asked_permission_for")?.config.safeParse({}).success).toBe(false);
    expect(findCheck("asked")?.config.safeParse({ matches: "(" }).success).toBe(false);
  });

  test("does not take a question for input as one for permission", async () => {
    const given = { events: [ask("q", "May I?", { subject: { tool: "rm" } })] };
    expect(await check("asked_permission_for", { tool: "rm" }, given)).toMatchObject({ outcome: "fail" });
  });
});

describe("the path conversation", () => {
  const found = (type: string, config: object) =>
    check(type, { ...config, path: "conversation" }, conversation);

  test("leads to everything that was said, asked and answered", async () => {
    const lines = [
      "user: Cancel my order",
      "agent asks (input): Which order?",
      "user answers: 4711",
      'agent asks (permission): Cancel it? {"tool":"cancel_order","path":"/orders/4711"} [Yes]',
      "user declines",
      "agent: It is cancelled",
    ];
    expect(await found("equals", { text: lines.join("\n") })).toMatchObject({ outcome: "pass" });
    expect(await found("regex", { pattern: "^user answers: \\d+$", flags: "m" })).toMatchObject({
      outcome: "pass",
    });
    expect(await found("contains", { pattern: "refund" })).toMatchObject({ outcome: "fail" });
  });

  test("is not searched where no path is given", async () => {
    expect(await check("contains", { pattern: "4711" }, conversation)).toMatchObject({ outcome: "fail" });
  });

  test("leads to an artifact of that name where there is one", async () => {
    const artifacts = [structured("c", "conversation", { note: "mine" })];
    const own = await check(
      "contains",
      { pattern: "mine", path: "conversation" },
      { ...conversation, artifacts },
    );
    expect(own).toMatchObject({ outcome: "pass" });
  });
});
