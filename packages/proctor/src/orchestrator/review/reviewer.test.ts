// The chain of a review: schema, checks, an agent, a person; document 004, section 4, "Reviewer".
import { describe, expect, it } from "vitest";
import type { SubtaskReview } from "../../core/goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { textPart } from "../../core/message.ts";
import type { Review } from "../../core/plan.ts";
import type { Answer, NewQuestion } from "../../core/question.ts";
import type { Run } from "../../core/run.ts";
import type { ReviewQuestion, RunChecks } from "./contract.ts";
import { createReviewer } from "./reviewer.ts";

const VIOLATION = {
  rule: "capability.returns",
  message: "/title: must be string",
  owner: "proctor" as const,
};

/** As much of a run as a reviewer looks at. */
function runOf(more: Partial<Run> = {}): Run {
  return { id: "run-1", agent: "writer", status: "completed", failure: null, violations: [], ...more } as Run;
}

interface Script {
  review?: Review;
  run?: Partial<Run>;
  round?: number;
  output?: Json;
  checks?: RunChecks;
  /** What the reviewing agent answers; its run where it is one; undefined where there is no such agent. */
  agent?: { run?: Partial<Run>; output?: Json; fails?: Error };
  person?: Partial<Answer>;
}

async function review(script: Script) {
  const recorded: SubtaskReview[] = [];
  const asked: { doer: JsonObject; description: string; input: JsonObject }[] = [];
  const questions: Omit<NewQuestion, "id">[] = [];
  const question: ReviewQuestion = {
    goal: "a report",
    task: { id: "write", title: "Write it", description: "Write ${params.topic}", capability: "write" },
    input: { topic: "cats" },
    output: script.output ?? { title: "Cats" },
    run: runOf(script.run),
    review: script.review ?? {},
    round: script.round ?? 0,
    feedbackBefore: ["shorter"],
  };
  const reviewer = createReviewer({ ...(script.checks && { checks: script.checks }) });
  const outcome = await reviewer(question, {
    async ask(doer, description, input) {
      asked.push({ doer: { ...doer }, description, input });
      if (script.agent?.fails) throw script.agent.fails;
      return script.agent && runOf({ id: "review-1", agent: "critic", ...script.agent.run });
    },
    outputOf: async () => script.agent?.output ?? null,
    async askHuman(given) {
      questions.push(given);
      return script.person && { id: "a1", by: { kind: "human" }, outcome: "given", ...script.person };
    },
    record: async (entry) => void recorded.push(entry),
    signal: new AbortController().signal,
  });
  return { outcome, recorded, asked, questions };
}

const passes: RunChecks = async () => undefined;
const fails: RunChecks = async () => 'contains: "dogs" is not there';
const ALL: Review = { checks: [{ type: "contains" }], agent: true, human: true };

describe("A review", () => {
  it("approves at once where it names no stage and the schema fits", async () => {
    expect(await review({})).toEqual({
      outcome: { verdict: "approve" },
      recorded: [],
      asked: [],
      questions: [],
    });
  });

  it("asks schema, checks, agent and person in this order, and records each", async () => {
    const { outcome, recorded } = await review({
      review: ALL,
      checks: passes,
      agent: { output: { verdict: "approve", score: 0.8 } },
      person: { option: "approve" },
    });
    expect(outcome).toEqual({ verdict: "approve" });
    expect(recorded).toEqual([
      { by: "checks", verdict: "approve" },
      { by: "agent", verdict: "approve", score: 0.8, run_id: "review-1" },
      { by: "human", verdict: "approve" },
    ]);
  });

  it("asks for another attempt where the output is not what the capability returns, before any stage", async () => {
    for (const named of [{}, ALL]) {
      const { outcome, recorded, asked } = await review({ review: named, run: { violations: [VIOLATION] } });
      const feedback = { rule: VIOLATION.rule, message: VIOLATION.message };
      expect(outcome).toEqual({ verdict: "retry", feedback, reason: VIOLATION.message });
      expect(recorded).toEqual([{ by: "schema", verdict: "retry", feedback, reason: VIOLATION.message }]);
      expect(asked).toEqual([]);
    }
  });

  it("ends with the first check that fails, whose words are the feedback", async () => {
    const { outcome, asked } = await review({ review: ALL, checks: fails });
    expect(outcome).toMatchObject({
      verdict: "retry",
      feedback: { check: 'contains: "dogs" is not there' },
      reason: 'contains: "dogs" is not there',
    });
    expect(asked).toEqual([]);
  });

  it("gives the checks the run and their list", async () => {
    const seen: unknown[] = [];
    await review({
      review: { checks: [{ type: "a" }] },
      checks: async (run, checks) => void seen.push(run.id, checks),
    });
    expect(seen).toEqual(["run-1", [{ type: "a" }]]);
  });

  it("asks an agent by capability or by name, with the description as it stands", async () => {
    const agent = { output: { verdict: "approve" } };
    const any = await review({ review: { agent: true, rubric: "be strict" }, agent, round: 1 });
    expect(any.asked[0]?.doer).toEqual({ capability: "review" });
    expect(any.asked[0]?.input).toEqual({
      goal: "a report",
      task: { id: "write", title: "Write it", description: "Write ${params.topic}" },
      input: { topic: "cats" },
      output: { title: "Cats" },
      rubric: "be strict",
      round: 1,
      feedback_before: ["shorter"],
    });
    const documented = ["goal", "task", "input", "output", "rubric", "round", "feedback_before"];
    expect(documented).toEqual(expect.arrayContaining(Object.keys(any.asked[0]?.input ?? {})));
    const named = await review({ review: { agent: "critic" }, agent });
    expect(named.asked[0]?.doer).toEqual({ capability: "review", agent: "critic" });
  });

  it("hands an agent's feedback on as it came, and its reason where it gave none", async () => {
    const feedback = { issues: [{ path: "/title", fix: "shorter" }] };
    const told = await review({ review: { agent: true }, agent: { output: { verdict: "retry", feedback } } });
    expect(told.outcome).toMatchObject({ verdict: "retry", feedback });
    const hinted = await review({
      review: { agent: true },
      agent: { output: { verdict: "retry", reason: "too long" } },
    });
    expect(hinted.outcome).toEqual({ verdict: "retry", feedback: "too long", reason: "too long" });
  });

  it("ends with a rejection, and says why", async () => {
    const { outcome, questions } = await review({
      review: ALL,
      checks: passes,
      agent: { output: { verdict: "reject", reason: "plagiarism" } },
    });
    expect(outcome).toEqual({ verdict: "reject", reason: "plagiarism" });
    expect(questions).toEqual([]);
  });

  it("asks a person where an agent escalates, though the review names none", async () => {
    const { outcome, recorded, questions } = await review({
      review: { agent: true },
      agent: { output: { verdict: "escalate", reason: "not mine to say" } },
      person: { option: "approve" },
    });
    expect(outcome).toEqual({ verdict: "approve" });
    expect(recorded.map(({ by, verdict }) => [by, verdict])).toEqual([
      ["agent", "escalate"],
      ["human", "approve"],
    ]);
    expect(questions[0]).toMatchObject({
      kind: "approval",
      parts: [{ text: expect.stringContaining("not mine to say") as string }],
      subject: { review: "write", run_id: "run-1", agent: "writer", output: { title: "Cats" }, round: 0 },
    });
  });

  it("escalates instead of asking for more once the rounds are used up: two, or as many as it says", async () => {
    const script = { checks: fails, review: { checks: [{}] }, person: { option: "approve" } };
    expect((await review({ ...script, round: 1 })).outcome.verdict).toBe("retry");
    const last = await review({ ...script, round: 2 });
    expect(last.outcome).toEqual({ verdict: "approve" });
    expect(last.recorded[0]).toMatchObject({ by: "checks", verdict: "escalate" });
    expect((await review({ ...script, round: 2, review: { checks: [{}], rounds: 3 } })).outcome.verdict).toBe(
      "retry",
    );
    const none = await review({
      ...script,
      review: { checks: [{}], rounds: 0 },
      person: { option: "reject" },
    });
    expect(none.outcome.verdict).toBe("reject");
    const schema = await review({
      run: { violations: [VIOLATION] },
      round: 2,
      person: { option: "approve" },
    });
    expect(schema.outcome).toEqual({ verdict: "approve" });
  });
});

describe("A reviewer that fails", () => {
  const FAILED: [string, Script][] = [
    [
      "whose run fails",
      { agent: { run: { status: "failed", failure: { code: "TIMEOUT", message: "late" } } } },
    ],
    [
      "whose run is only partly done",
      { agent: { run: { status: "partial" }, output: { verdict: "approve" } } },
    ],
    ["that answers nonsense", { agent: { output: "hm" } }],
    ["that contradicts itself", { agent: { output: { verdict: "approve", must_fix: ["x"] } } }],
    ["that nobody can be", {}],
    ["that cannot be asked", { agent: { fails: new Error("the store is full") } }],
  ];

  it.each(FAILED)("%s rejects nothing: a person decides", async (_name, script) => {
    const named = { review: { agent: true as const }, ...script };
    const approved = await review({ ...named, person: { option: "approve" } });
    expect(approved.outcome).toEqual({ verdict: "approve" });
    expect(approved.recorded[0]).toMatchObject({ by: "agent", verdict: null });
    expect(approved.recorded[0]?.trouble).toBeTypeOf("string");
    expect(approved.questions).toHaveLength(1);
  });

  it.each(FAILED)("%s approves nothing where nobody answers, either", async (_name, script) => {
    const { outcome, recorded } = await review({ review: { agent: true }, ...script });
    expect(outcome.verdict).toBe("reject");
    expect(outcome.reason).toMatch(
      /^nobody could judge the output: nobody answered in time, after the review/,
    );
    expect(recorded.at(-1)).toEqual({ by: "human", verdict: null, trouble: "nobody answered in time" });
  });

  it("because checks cannot be evaluated goes to a person, and no agent is asked instead", async () => {
    const checks: RunChecks = () => Promise.reject(new Error("no judge is configured"));
    const { recorded, asked, outcome } = await review({
      review: ALL,
      checks,
      agent: { output: { verdict: "approve" } },
      person: { option: "reject", outcome: "declined" },
    });
    expect(recorded[0]).toEqual({ by: "checks", verdict: null, trouble: "no judge is configured" });
    expect(asked).toEqual([]);
    expect(outcome.verdict).toBe("reject");
    expect((await review({ review: { checks: [{}] }, person: { option: "approve" } })).recorded[0]).toEqual({
      by: "checks",
      verdict: null,
      trouble: "this hub evaluates no checks",
    });
  });

  it("because the goal is stopped is no finding at all", async () => {
    const stop = new AbortController();
    const reviewer = createReviewer({
      checks: async () => {
        stop.abort(new Error("stopped"));
        throw new Error("interrupted");
      },
    });
    const recorded: unknown[] = [];
    const question = { run: runOf(), review: { checks: [{}] }, round: 0 } as unknown as ReviewQuestion;
    const refuse = (): never => expect.unreachable();
    const actions = { ask: refuse, outputOf: refuse, askHuman: refuse, signal: stop.signal };
    const record = async (entry: unknown): Promise<void> => void recorded.push(entry);
    await expect(reviewer(question, { ...actions, record })).rejects.toThrow("stopped");
    expect(recorded).toEqual([]);
  });
});

describe("A person who reviews", () => {
  const human = { review: { human: true } };

  it("chooses between approve, retry and reject", async () => {
    const { questions } = await review({ ...human, person: { option: "approve" } });
    expect(questions[0]?.options?.map(({ id, effect }) => [id, effect])).toEqual([
      ["approve", "allow"],
      ["retry", "other"],
      ["reject", "deny"],
    ]);
  });

  it("may ask for another attempt however often, with words or data as feedback", async () => {
    const words = await review({
      ...human,
      round: 9,
      person: { option: "retry", parts: [textPart("in French")] },
    });
    expect(words.outcome).toMatchObject({ verdict: "retry", feedback: "in French" });
    const data = await review({ ...human, person: { option: "retry", data: { feedback: { tone: "dry" } } } });
    expect(data.outcome).toMatchObject({ verdict: "retry", feedback: { tone: "dry" } });
    const silent = await review({ ...human, person: { option: "retry" } });
    expect(silent.outcome).toEqual({ verdict: "retry", reason: "the reviewer asked for another attempt" });
  });

  it("rejects by an option, or by declining, and never approves by words alone", async () => {
    const option = await review({ ...human, person: { option: "reject", parts: [textPart("not ours")] } });
    expect(option.outcome).toEqual({ verdict: "reject", reason: "not ours" });
    const declined = await review({ ...human, person: { outcome: "declined", option: "approve" } });
    expect(declined.outcome.verdict).toBe("reject");
    const talk = await review({ ...human, person: { parts: [textPart("approve")] } });
    expect(talk.outcome.verdict).toBe("reject");
  });

  it("who never answers judges nothing: the output is not accepted", async () => {
    const { outcome } = await review(human);
    expect(outcome).toEqual({
      verdict: "reject",
      reason: "nobody could judge the output: nobody answered in time",
    });
  });

  it("is shown the beginning of an output that is too large for a question", async () => {
    const { questions } = await review({
      ...human,
      output: "x".repeat(3_000_000),
      person: { option: "approve" },
    });
    expect(JSON.stringify(questions[0]).length).toBeLessThan(200_000);
    expect(questions[0]?.subject?.["output"]).toEqual({
      shortened: expect.stringMatching(/more characters\)$/) as string,
    });
  });
});
