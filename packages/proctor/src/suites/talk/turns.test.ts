import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import {
  answerText,
  openTalkingHub,
  planTalk,
  runTalk,
  TALKS,
  type Play,
  type TalkingHub,
} from "../../../test/support/suites/talking-agent.ts";
import type { Talks } from "../../core/ports/driver.ts";
import { rescoreFrom, recallCached } from "../run/recall.ts";

const open: TalkingHub[] = [];

afterEach(async () => {
  for (const hub of open.splice(0)) await hub.close();
});

async function hubWith(play: Play, talks?: Talks): Promise<TalkingHub> {
  const hub = await openTalkingHub(play, talks);
  open.push(hub);
  return hub;
}

const contains = (pattern: string, path?: string) => ({ type: "contains", config: { pattern, path } });
const echo: Play = (session) => session.reply(`You said: ${session.said}`);

describe("a test with turns", { timeout: HANG_MS }, () => {
  it("plays each turn in a run that follows the one before, and judges each by its own checks", async () => {
    const hub = await hubWith(async (session) => {
      const history = (await session.job.conversation?.history()) ?? [];
      session.reply(`${history.length} messages before: ${session.said}`, {
        metrics: { total_tokens: 10, total_steps: 1 },
      });
    });
    const plan = await planTalk({
      turns: [
        { say: "My name is Ada" },
        { expect: [contains("0 messages")] },
        { say: "Who am I?" },
        { expect: [contains("2 messages before: Who am I?")] },
      ],
      checks: [
        contains("Who am I?"),
        { type: "max_tokens", config: { limit: 20 } },
        { type: "not_max_tokens", config: { limit: 19 } },
      ],
    });
    const { outcome, attempts } = await runTalk(plan, hub);
    const [attempt] = attempts;
    expect(attempt?.checks.map(({ turn, verdict }) => [turn, verdict.outcome])).toEqual([
      [1, "pass"],
      [2, "pass"],
      [undefined, "pass"],
      [undefined, "pass"],
      [undefined, "pass"],
    ]);
    expect(outcome).toBe("pass");
    expect(attempt?.metrics).toMatchObject({ total_tokens: 20, total_steps: 2 });
    const [first, second] = attempt?.thread?.turns ?? [];
    expect(await hub.hub.run(second?.run_id ?? "")).toMatchObject({
      id: attempt?.runId,
      follows: first?.run_id,
      conversation_id: attempt?.thread?.conversation_id,
      metadata: { turn: 2 },
    });
    expect(first?.lines).toEqual([
      { who: "user", what: "says", text: "My name is Ada" },
      { who: "agent", what: "says", text: "0 messages before: My name is Ada" },
    ]);
  });

  it("says its task first, and answers questions in the order of its answers", async () => {
    const got: string[] = [];
    const hub = await hubWith(async (session) => {
      got.push(session.said);
      const options = [
        { id: "ok", name: "Allow", effect: "allow" as const },
        { id: "no", name: "Reject", effect: "deny" as const },
      ];
      for (const [index, question] of [
        {},
        { kind: "permission" as const, options },
        { kind: "permission" as const, options },
        { kind: "form" as const, schema: { type: "object" } },
        { kind: "permission" as const, options },
        { kind: "permission" as const, options },
      ].entries()) {
        got.push(answerText(await session.inquire({ id: `q${index}`, ...question })));
      }
      session.reply("done");
    });
    const plan = await planTalk({
      task: { description: "Clean up", input_data: { a: 1 } },
      turns: [
        { answer: "the old ones" },
        { answer: { option: "Allow" } },
        { decline: true },
        { answer: { option: "x", count: 2 } },
        { answer: "Allow" },
      ],
    });
    const { outcome, attempts } = await runTalk(plan, hub);
    expect(got).toEqual([
      "Clean up",
      "the old ones",
      "ok",
      "declined",
      '{"option":"x","count":2}',
      "ok",
      // What nobody has foreseen is not allowed.
      "declined",
    ]);
    expect(outcome).toBe("pass");
    const events = await hub.log(attempts[0]?.runId ?? "");
    const answers = events.flatMap((event) =>
      event.type === "question.answered" ? [event.payload.answer.by] : [],
    );
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["simulator"]));
  });

  it("fails with the question when the agent asks for input that no answer is left for", async () => {
    const hub = await hubWith((session) => void session.inquire({ id: "q" }).catch(() => undefined));
    const { outcome, attempts } = await runTalk(
      await planTalk({ turns: [{ say: "Go" }, { say: "More" }] }),
      hub,
    );
    expect(outcome).toBe("fail");
    expect(attempts[0]).toMatchObject({
      failure: { code: "NO_ANSWER" },
      reason: 'NO_ANSWER: the agent asked in turn 1, and the script has no answer left: "what?"',
      thread: { ended: "question" },
    });
    expect(hub.sessions).toHaveLength(1);
  });

  it("is unevaluated when an answer of its script does not fit the question", async () => {
    const hub = await hubWith((session) => {
      const options = [{ id: "ok", name: "Allow", effect: "allow" as const }];
      void session.inquire({ id: "q", kind: "permission", options }).catch(() => undefined);
    });
    const plan = await planTalk({ turns: [{ say: "Go" }, { answer: "sure" }], checks: [contains("x")] });
    const { outcome, attempts } = await runTalk(plan, hub);
    expect(outcome).toBe("unevaluated");
    expect(attempts[0]?.failure?.code).toBe("SIMULATOR_FAILED");
    expect(attempts[0]?.reason).toMatch(
      /^SIMULATOR_FAILED: the answer at talk.yaml:\S+ does not fit .*no option "sure"/,
    );
    expect(attempts[0]?.notes).toEqual([attempts[0]?.reason]);
  });

  it("ends with the first run that does not complete, unless a check of that turn judges its end", async () => {
    const failing: Play = (session, turn) => (turn === 1 ? session.end("failed") : session.reply("fine"));
    const steps = [{ say: "one" }, { say: "two" }, { say: "three" }];
    const hub = await hubWith(failing);
    const failed = await runTalk(await planTalk({ turns: steps }), hub);
    expect(failed.attempts[0]).toMatchObject({ outcome: "fail", thread: { ended: "run" } });
    expect(failed.attempts[0]?.reason).toMatch(/^turn 2: the run ended as failed/);
    expect(hub.sessions).toHaveLength(2);

    const expected = { expect: [{ type: "status", config: { is: "failed" } }] };
    const other = await hubWith(failing);
    const passed = await runTalk(await planTalk({ turns: steps.toSpliced(2, 0, expected as never) }), other);
    expect(passed.attempts[0]).toMatchObject({ outcome: "pass", thread: { ended: "script" } });
  });

  it("is unevaluated when the agent's protocol cannot go on with a conversation", async () => {
    const hub = await hubWith(echo, { ...TALKS, follows: false });
    const { outcome, attempts } = await runTalk(await planTalk({ turns: [{ say: "a" }, { say: "b" }] }), hub);
    expect(outcome).toBe("unevaluated");
    expect(attempts[0]?.reason).toMatch(/^NOT_SUPPORTED: .*cannot go on with a conversation/);
  });

  it("shares its limits out among all turns, and fails when they are used up", async () => {
    const limits: unknown[] = [];
    const hub = await hubWith((session) => {
      limits.push(session.job.constraints);
      session.reply("ok", { metrics: { total_tokens: 40, total_steps: 2 } });
    });
    const plan = await planTalk({
      constraints: { max_tokens: 80, max_steps: 10 },
      turns: [{ say: "a" }, { say: "b" }, { say: "c" }],
    });
    const { attempts } = await runTalk(plan, hub);
    expect(limits).toMatchObject([
      { max_tokens: 80, max_steps: 10 },
      { max_tokens: 40, max_steps: 8 },
    ]);
    expect(attempts[0]).toMatchObject({
      outcome: "fail",
      score: 0,
      reason: "BUDGET_EXCEEDED: the conversation used up its max_tokens (80) in 2 turns",
      thread: { ended: "limit" },
    });
  });

  it("keeps going when the agent asks and goes on, or ends while it asks", async () => {
    const hub = await hubWith((session, turn) => {
      session.ask({ id: "q", blocking: turn > 0 });
      if (turn === 0) session.push({ kind: "withdrawn", questionId: "q", reason: "found it" });
      session.reply("never mind");
    });
    const plan = await planTalk({
      turns: [{ say: "a" }, { answer: "x" }, { say: "b" }, { answer: "y" }],
      checks: [contains("never mind")],
    });
    const { outcome, attempts } = await runTalk(plan, hub);
    expect(outcome).toBe("pass");
    const lines = attempts[0]?.thread?.turns.map((turn) =>
      turn.lines.map(({ who, what }) => `${who} ${what}`),
    );
    for (const said of lines ?? []) expect(said.slice(0, 2)).toEqual(["user says", "agent asks"]);
  });

  it("fails an agent that asks for permission without end, and waits for none", async () => {
    const hub = await hubWith(async (session) => {
      for (let index = 0; ; index++) await session.inquire({ id: `p${index}`, kind: "permission" });
    });
    const { outcome, attempts } = await runTalk(await planTalk({ turns: [{ say: "a" }] }), hub);
    expect(outcome).toBe("fail");
    expect(attempts[0]?.thread?.turns).toHaveLength(1);
  });

  it("notes answers that nobody asked for", async () => {
    const hub = await hubWith(echo);
    const plan = await planTalk({ turns: [{ say: "a" }, { answer: "x" }, { decline: true }] });
    const { outcome, attempts } = await runTalk(plan, hub);
    expect(outcome).toBe("pass");
    expect(attempts[0]?.notes).toEqual([
      expect.stringMatching(/^turn 1: 2 answers not needed, from talk.yaml:/),
    ]);
  });
});

describe("an earlier conversation", { timeout: HANG_MS }, () => {
  const steps = [{ say: "a" }, { expect: [contains("You said: a")] }, { say: "b" }];

  it("is found in the cache by its last run, and judged with all its turns", async () => {
    const hub = await hubWith(echo);
    const plan = await planTalk({ turns: steps });
    await runTalk(plan, hub);
    const { attempts } = await runTalk(plan, hub, { recall: recallCached(hub.hub) });
    expect(hub.sessions).toHaveLength(2);
    expect(attempts[0]).toMatchObject({ source: "cached", outcome: "pass", checks: [{ turn: 1 }] });
    expect(attempts[0]?.thread?.turns).toHaveLength(2);
    const other = await planTalk({ turns: [...steps, { answer: "x" }] });
    expect(other.cases[0]?.key?.run).not.toBe(plan.cases[0]?.key?.run);
    const stricter = await planTalk({ turns: [...steps, { expect: [contains("x")] }] });
    expect(stricter.cases[0]?.key?.run).toBe(plan.cases[0]?.key?.run);
    expect(stricter.cases[0]?.key?.whole).not.toBe(plan.cases[0]?.key?.whole);
  });

  it("is graded again with the reason for which it was broken off", async () => {
    const hub = await hubWith((session) => void session.inquire({ id: "q" }).catch(() => undefined));
    const plan = await planTalk({ turns: [{ say: "a" }] });
    const { attempts } = await runTalk(plan, hub);
    const [made] = attempts;
    const journal = {
      find: () => ({
        runId: made?.runId ?? null,
        taskKey: plan.cases[0]?.key?.task ?? "",
        key: "",
        offset: 0,
        length: 0,
      }),
      read: () => Promise.resolve(made!),
    };
    const again = await runTalk(plan, hub, { recall: rescoreFrom(journal as never) });
    expect(again.attempts[0]).toMatchObject({ source: "rescored", outcome: "fail", reason: made?.reason });
  });
});
