// Cases of a store: evaluations, and the runs that were made for them. What clients may do is in core/ports/evaluations.case.ts.
import { expect, it } from "vitest";
import { evaluationId, newCase, newEvaluation, OWNER, TOTALS } from "../../../test/support/evaluations.ts";
import { logged, newRun, NOW, startRun } from "../../../test/support/stores/fixtures.ts";
import type { Evaluation, EvaluationCase } from "../../core/evaluation.ts";
import type { Store } from "../../core/ports/store.ts";

const ID = evaluationId(1);

function evaluation(number = 1, more: Partial<Evaluation> = {}): Evaluation {
  const { owner: _, skipped: __, ...given } = newEvaluation(number);
  return {
    ...given,
    status: "running",
    started_at: new Date(NOW).toISOString(),
    ended_at: null,
    totals: TOTALS,
    stopped: null,
    exit_code: null,
    comparison: null,
    started_by: "operator",
    resumed: 0,
    alive_until: new Date(NOW + 1000).toISOString(),
    ...more,
  };
}

function settled(number: number, evaluation_id = ID): EvaluationCase {
  return {
    ...newCase(number),
    id: `case-${number}`,
    evaluation_id,
    settled_at: new Date(NOW + number).toISOString(),
    change: null,
    comparison: null,
  };
}

export function evaluationCases(use: () => Store, reopen: () => Promise<Store>): void {
  const put = (number: number, cases: EvaluationCase[] = [], isNews = true) =>
    use().evaluations.write(evaluationId(number), () => ({
      evaluation: evaluation(number),
      owner: OWNER,
      cases,
      isNews,
    }));

  it("keeps evaluations and their cases as they were given, also after a restart", async () => {
    await put(1, [settled(1), settled(0)]);
    const { evaluations } = await reopen();
    expect(await evaluations.read(ID)).toEqual({ evaluation: evaluation(), owner: OWNER });
    expect(await evaluations.read(evaluationId(2))).toBeUndefined();
    expect((await evaluations.cases(ID, {})).items).toEqual([settled(0), settled(1)]);
    expect((await evaluations.summaries(ID, { most: 1 })).items[0]).not.toHaveProperty("run_results");
  });

  it("writes nothing of an evaluation when the decision throws", async () => {
    const { evaluations } = use();
    const refused = evaluations.write(ID, () => {
      throw new Error("no");
    });
    await expect(refused).rejects.toThrow("no");
    expect(await evaluations.read(ID)).toBeUndefined();
  });

  it("derives from the lease who is still there", async () => {
    await put(1);
    const status = async (now: number) => (await use().evaluations.list({ now })).items[0]?.status;
    expect([await status(NOW), await status(NOW + 1000)]).toEqual(["running", "interrupted"]);
  });

  it("gives changes of evaluations places among the events of runs, which no restart repeats", async () => {
    const first = await startRun(use());
    await put(1, [settled(0)]);
    await use().append(first, [logged("x")]);
    const { last: end } = await use().feed(Infinity, 1);
    await put(1, [settled(1)]);
    const store = await reopen();
    const after = await store.feed(Infinity, 1);
    // Some may be left out.
    expect(after.last).toBeGreaterThanOrEqual(end + 2);
    await store.append(first, [logged("y")]);
    const events = (await store.feed(0, 100)).items.map(({ position }) => position);
    const changes = await store.evaluations.changes({ after: 0, limit: 10, now: NOW });
    const places = changes.map(({ position }) => position);
    expect(new Set([...events, ...places]).size).toBe(events.length + places.length);
    expect(changes.map(({ event }) => event.type)).toEqual([
      "evaluation.case",
      "evaluation.case",
      "evaluation.changed",
    ]);
    const [one, other] = await store.evaluations.changes({
      after: end,
      upTo: after.last,
      limit: 10,
      now: NOW,
    });
    expect(one).toMatchObject({ event: { case: { id: "case-1" } } });
    const upTo = one?.position ?? 0;
    expect(await store.evaluations.changes({ after: end, upTo, limit: 10, now: NOW })).toEqual([one]);
    expect(other?.position).toBeGreaterThan(upTo);
    // The end of the feed covers them: a reader of both never goes back.
    expect(events.at(-1)).toBeGreaterThan(after.last);
  });

  it("calls watchers for news, and not for a sign of life", async () => {
    const heard: string[] = [];
    const stop = use().evaluations.watch((id) => heard.push(id));
    await put(1);
    await put(1, [], false);
    await put(1, [settled(0)], false);
    await use().evaluations.remove(ID);
    stop();
    await put(2);
    expect(heard).toEqual([ID, ID, ID]);
  });

  it("forgets a removed evaluation, tells readers, and takes one of its id again", async () => {
    await put(1, [settled(0)]);
    await put(2, [settled(0, evaluationId(2))]);
    expect(await use().evaluations.remove(ID)).toBe(true);
    expect(await use().evaluations.remove(ID)).toBe(false);
    const { evaluations } = await reopen();
    const gone = async () =>
      (await evaluations.changes({ after: 0, limit: 10, now: NOW })).filter(
        ({ event }) => event.type === "evaluation.removed",
      ).length;
    expect(await gone()).toBe(1);
    expect((await evaluations.cases(ID, {})).items).toEqual([]);
    expect((await evaluations.cases(evaluationId(2), {})).items).toHaveLength(1);
    expect((await evaluations.list({ suite: "smoke", now: NOW })).items).toHaveLength(1);
    await evaluations.write(ID, () => ({ evaluation: evaluation(), owner: OWNER, isNews: true }));
    expect(await gone()).toBe(0);
  });

  it("counts the cases of evaluations since a moment", async () => {
    await put(1);
    await put(2);
    const minute = 60_000;
    const at = Math.floor(NOW / minute) * minute;
    expect(await use().evaluations.tally(NOW, minute)).toEqual({
      evaluations: 2,
      passed: 2,
      failed: 0,
      unevaluated: 0,
      buckets: [{ at, passed: 2, failed: 0, unevaluated: 0 }],
    });
    const none = { evaluations: 0, passed: 0, failed: 0, unevaluated: 0, buckets: [] };
    expect(await use().evaluations.tally(NOW + 1, minute)).toEqual(none);
  });

  it("lists the runs of an evaluation, whatever else stands in the metadata of others", async () => {
    await use().createRun(newRun({ id: "a", evaluation: ID }));
    await use().createRun(newRun({ id: "b", evaluation: evaluationId(2) }));
    await use().createRun(newRun({ id: "c", evaluation: "no id" }));
    await use().createRun(newRun({ id: "d" }));
    const ids = async (evaluation: string) =>
      (await use().listRuns({ evaluation })).items.map(({ id }) => id);
    expect([await ids(ID), await ids("no id")]).toEqual([["a"], []]);
  });
}
