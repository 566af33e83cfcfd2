import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLocalEvaluations } from "../../../test/support/evaluations.ts";
import {
  attempts,
  check,
  everything,
  hostile,
  LONG,
  plan as planOf,
  result,
  summaryOf,
} from "../../../test/support/reporters/results.ts";
import { ProctorError } from "../../core/errors.ts";
import type { EvaluationRecord } from "../../core/evaluation.ts";
import type { OpenedEvaluations } from "../../core/ports/evaluations.case.ts";
import type { Evaluations } from "../../core/ports/evaluations.ts";
import { compareResults } from "../compare/compare-results.ts";
import { resultCase } from "../journal/journal.ts";
import type { Plan } from "../plan.ts";
import type { CaseResult, Summary } from "../result.ts";
import { openRecorder, type Recorder } from "./recorder.ts";

const METADATA = { git_commit: null, git_branch: null, host: "laptop", proctor_version: "0.1.0" };

let opened: OpenedEvaluations;
let warnings: string[];
beforeEach(async () => {
  opened = await openLocalEvaluations();
  warnings = [];
});
afterEach(() => opened.close());

const open = (plan: Plan, evaluations: Pick<Evaluations, "begin" | "record" | "end"> = opened.evaluations) =>
  openRecorder({
    evaluations,
    plan,
    metadata: METADATA,
    exitCode: ({ failed }) => (failed > 0 ? 1 : 0),
    warn: (message) => warnings.push(message),
  });

async function play(
  recorder: Recorder,
  plan: Plan,
  results: readonly CaseResult[],
  rest: Partial<Summary> = {},
): Promise<void> {
  const { reporter } = recorder;
  reporter.start(plan);
  for (const one of results) {
    for (const ended of one.attempts) reporter.attemptEnded?.(one.case, ended);
    reporter.caseEnded(one);
  }
  reporter.end({ ...summaryOf(plan, results), ...rest });
  await recorder.close();
}

describe("the recorder of an evaluation", () => {
  it("keeps every case with its runs, checks and place in the plan, and how it ended", async () => {
    const { plan, results } = everything();
    const recorder = await open(plan);
    await play(recorder, plan, results);
    const { evaluations } = opened;
    const kept = await evaluations.get(recorder.id ?? "");
    expect(kept).toMatchObject({ status: "interrupted", stopped: "interrupted", planned: { cases: 5 } });
    const { items } = await evaluations.cases(kept.id, {});
    expect(items.map(({ number, test_id }) => [number, test_id])).toEqual(
      results.map((one, index) => [index, one.case.test.id]),
    );
    const [, bad] = items;
    expect(bad).toMatchObject({ verdict: "fail", runs: results[1]?.attempts.length });
    expect(bad?.run_results[0]?.checks.length).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  it("keeps the comparison with a baseline, over all and for each case", async () => {
    const plan = planOf(["one", "two"]);
    const results = [0, 1].map((index) => result(plan, index, attempts(["pass", "fail"])));
    const cases = results.map(resultCase);
    const before = { name: "baseline", created_at: "2026-01-01T00:00:00.000Z", cases };
    const comparison = compareResults(before, { ...before, name: "now" });
    const recorder = await open(plan);
    await play(recorder, plan, results, { comparison });
    const kept = await opened.evaluations.get(recorder.id ?? "");
    expect(kept).toMatchObject({
      status: "completed",
      exit_code: 1,
      comparison: { changes: { unchanged: 2 } },
    });
    const { items } = await opened.evaluations.cases(kept.id, {});
    expect(items.map(({ comparison: each }) => each)).toEqual(comparison.cases);
  });

  it("keeps whatever names, reasons and failures are made of, within the limits", async () => {
    for (const { plan, results } of [...hostile(), ...hostile([LONG])]) {
      const recorder = await open(plan);
      await play(recorder, plan, results);
      expect(warnings).toEqual([]);
      expect((await opened.evaluations.cases(recorder.id ?? "", {})).items).toHaveLength(3);
    }
  });

  it("leaves out what says least of a case that is too large, and says so", async () => {
    const plan = planOf(["large"], { runs: 2000 });
    const checks = [check("fail", "x".repeat(1500))];
    const recorder = await open(plan);
    await play(recorder, plan, [result(plan, 0, attempts(Array<"fail">(2000).fill("fail"), { checks }))]);
    const [large] = (await opened.evaluations.cases(recorder.id ?? "", {})).items;
    expect(large).toMatchObject({ runs: 2000, runs_omitted: 1000 });
    expect(large?.run_results).toHaveLength(1000);
    expect(warnings).toEqual([]);
  });

  it("warns once and goes on when the hub refuses to begin, to record or to end", async () => {
    const { plan, results } = everything();
    const denied = () => Promise.reject(new ProctorError("FORBIDDEN", "not for you\nask somebody"));
    const refused = await open(plan, { ...opened.evaluations, begin: denied });
    expect(refused.id).toBeUndefined();
    await play(refused, plan, results);
    await play(await open(plan, { ...opened.evaluations, record: denied }), plan, results);
    await play(await open(plan, { ...opened.evaluations, end: denied }), plan, results);
    expect(warnings).toEqual(Array(3).fill("the evaluation is not recorded: not for you"));
  });

  it("begins one of its own where the one to resume is complete, and continues one that was cut off", async () => {
    const { plan, results } = everything();
    const { evaluations } = opened;
    const first = await open(plan);
    await play(first, plan, results.slice(0, 1));
    const options = { evaluations, plan, metadata: METADATA, exitCode: () => 0, warn: () => undefined };
    const id = first.id ?? "";
    const second = await openRecorder({ ...options, resume: { id } });
    expect(second.id).toBe(id);
    const whole = { notRun: [], interrupted: false };
    await play(second, plan, results, whole);
    expect(await evaluations.get(id)).toMatchObject({ status: "completed", resumed: 1 });
    const third = await openRecorder({ ...options, resume: { id } });
    expect(third.id).not.toBe(id);
    // One whose owner is alive is another client's, unless it is known to be gone.
    const fourth = await openRecorder({ ...options, resume: { id: third.id ?? "" } });
    expect(fourth.id).not.toBe(third.id);
    const replaces = third.owner;
    const fifth = await openRecorder({ ...options, resume: { id: third.id ?? "", replaces } });
    expect(fifth.id).toBe(third.id);
    for (const recorder of [third, fourth, fifth]) await recorder.close();
  });

  it("holds no more than a few megabytes for a hub that is slower than 10,000 cases", async () => {
    const plan = planOf(Array.from({ length: 10_000 }, (_, index) => `t${index}`));
    let sentBytes = 0;
    const kept = new Set<number>();
    let answer = (): void => undefined;
    const isSlow = new Promise<void>((resolve) => (answer = resolve));
    const record = async (id: string, sent: EvaluationRecord) => {
      await isSlow;
      sentBytes += JSON.stringify(sent.cases ?? []).length;
      for (const { number } of sent.cases ?? []) kept.add(number);
      return opened.evaluations.get(id);
    };
    const recorder = await open(plan, { ...opened.evaluations, record });
    const checks = Array.from({ length: 10 }, () => check("fail", "x".repeat(1900)));
    const ended = attempts(["fail"], { checks });
    for (const index of plan.cases.keys()) recorder.reporter.caseEnded(result(plan, index, ended));
    recorder.reporter.end(summaryOf(plan, []));
    answer();
    await recorder.close();
    expect(kept.size).toBe(10_000);
    // 200 MB of reasons: most cases are kept without their details.
    expect(sentBytes).toBeLessThan(20 * 1024 * 1024);
    expect(warnings).toEqual([]);
  });
});
