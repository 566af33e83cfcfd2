// What happens to a goal's question when nobody answers: document 004, section 4, with a real engine.
import { afterEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import {
  createScriptedDriver,
  type ScriptedDriver,
  type ScriptedSession,
} from "../../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import type { ApprovalPolicy } from "../../core/goal.ts";
import { textPart } from "../../core/message.ts";
import type { Answer, NewQuestion } from "../../core/question.ts";
import { conversationFor, outcomeOf, questionFor } from "./approvals.ts";

const QUESTION: NewQuestion = {
  id: "q",
  kind: "approval",
  parts: [textPart("Is this plan right?")],
  options: [
    { id: "approve", name: "Approve", effect: "allow" },
    { id: "reject", name: "Reject", effect: "deny" },
  ],
};
const HOUR_MS = 3_600_000;
const open: { test: TestHub; driver: ScriptedDriver }[] = [];
afterEach(async () => {
  for (const { test, driver } of open.splice(0)) {
    // The clock stands still: nobody waits for a grace to be over.
    for (const session of driver.sessions) session.end();
    await test.close();
  }
});

async function ask(policy: ApprovalPolicy, parks = false) {
  const clock = createManualClock();
  const driver = createScriptedDriver({ talks: { asks: ["approval"], parks: true } });
  const test = await openTestHub({ driver, clock });
  open.push({ test, driver });
  const options = { conversation: conversationFor(policy) };
  const { run } = await test.hub.submit({ agent: "goal+stdio:x", task: { description: "d" }, options });
  const session = await driver.session(0);
  session.push({ kind: "question", question: questionFor(policy, QUESTION, clock.now()) });
  await test.until(run.id, ({ type }) => type === "question.asked");
  if (parks) {
    session.push({ kind: "parked" });
    await test.until(run.id, ({ type }) => type === "session.parked");
    await eventually(() => expect(clock.waiting).toBe(1));
  }
  return { test, clock, driver, session, id: run.id };
}

function heard({ heard: all }: ScriptedSession): Answer | undefined {
  const [first] = all;
  return first && "answer" in first ? (first.answer as Answer) : undefined;
}

describe("A goal's question that nobody answers", { timeout: HANG_MS }, () => {
  it.each([
    ["approve", "approve", "given"],
    ["reject", "reject", "declined"],
  ] as const)("is answered by the policy %s, and the log says so", async (silence, option, outcome) => {
    const { test, clock, session, id } = await ask({ on_silence: silence, after_seconds: 60 });
    clock.advance(60_000);
    await eventually(() => expect(heard(session)).toBeDefined());
    const answer = { id: "expired:q", by: { kind: "policy", name: "silence" }, outcome, option };
    const given = heard(session);
    expect(given).toEqual(answer);
    expect(given && outcomeOf(given)).toEqual(answer);
    expect((await test.log(id)).find(({ type }) => type === "question.expired")?.payload).toEqual({
      id: "q",
      effect: "answer",
      answer,
    });
  });

  it("halts the goal after the time that its policy says, an hour unless it does", async () => {
    for (const [policy, waitMs] of [
      [{ on_silence: "halt", after_seconds: 60 }, 60_000],
      [{ on_silence: "halt" }, HOUR_MS],
    ] as const) {
      const { clock, session } = await ask(policy);
      clock.advance(waitMs - 1);
      clock.advance(1);
      await eventually(() => expect(heard(session)).toBeDefined());
      const given = heard(session);
      expect(given?.outcome).toBe("declined");
      expect(given && outcomeOf(given)).toBeUndefined();
    }
  });

  it("waits thirty days where nothing else is said, whatever the time", async () => {
    const { test, clock, id } = await ask({ after_seconds: 60 });
    const expires = new Date(clock.now() + 30 * 24 * HOUR_MS).toISOString();
    clock.advance(2 * HOUR_MS);
    expect(await test.hub.run(id)).toMatchObject({
      status: "waiting",
      questions: [{ id: "q", expires_at: expires }],
    });
  });

  it("is answered by the policy though the goal is parked, and any worker brings it the answer", async () => {
    const { test, clock, driver, id } = await ask({ on_silence: "approve", after_seconds: 60 }, true);
    clock.advance(60_000);
    const again = await driver.session(1);
    await eventually(() =>
      expect(heard(again)).toMatchObject({ option: "approve", by: { name: "silence" } }),
    );
    again.end();
    expect((await test.ended(id)).status).toBe("completed");
  });

  it("is a person's where one is a moment faster than the policy", async () => {
    const { test, clock, session, id } = await ask({ on_silence: "approve", after_seconds: 60 });
    await test.hub.answer(id, { question_id: "q", option: "reject", by: { kind: "human", name: "ada" } });
    clock.advance(60_000);
    await eventually(() => expect(heard(session)).toBeDefined());
    expect(heard(session)).toMatchObject({ option: "reject", by: { kind: "human", name: "ada" } });
    expect((await test.log(id)).some(({ type }) => type === "question.expired")).toBe(false);
  });

  it("is never for a program to answer, nor for anybody who says to be a policy", async () => {
    const { test, id } = await ask({});
    for (const kind of ["client", "policy", "simulator"] as const)
      await expect(
        test.hub.answer(id, { question_id: "q", option: "approve", by: { kind } }),
      ).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
