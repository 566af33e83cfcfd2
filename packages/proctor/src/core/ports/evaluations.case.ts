// Every promise of the Evaluations port, for any implementation: in this process, or elsewhere over HTTP.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  evaluationId,
  newCase,
  newEvaluation,
  OTHER_OWNER,
  OWNER,
  TOTALS,
} from "../../../test/support/evaluations.ts";
import { expectError } from "../../../test/support/expect-error.ts";
import type { ManualClock } from "../../../test/support/manual-clock.ts";
import { EVALUATION_LIMITS, type EvaluationEnd, type PlacedEvaluationEvent } from "../evaluation.ts";
import type { Evaluations } from "./evaluations.ts";

export interface OpenedEvaluations {
  evaluations: Evaluations;
  clock: ManualClock;
  /** The evaluations whose runs were to be removed. */
  removedRuns: readonly string[];
  /** The same evaluations after a restart of whatever keeps them. */
  reopen(): Promise<Evaluations>;
  close(): Promise<void>;
}

const ID = evaluationId(1);
const END: EvaluationEnd = {
  owner: OWNER,
  status: "completed",
  stopped: null,
  exit_code: 0,
  totals: TOTALS,
  comparison: null,
};
const LEASE_MS = 60_000;
const { signal } = new AbortController();

/** `open` makes a new, empty place each time. */
export function evaluationsCases(name: string, open: () => Promise<OpenedEvaluations>): void {
  describe(name, () => {
    let opened: OpenedEvaluations;
    let evaluations: Evaluations;
    beforeEach(async () => {
      opened = await open();
      ({ evaluations } = opened);
    });
    afterEach(() => opened.close());

    async function gather(id: string | undefined, after = 0): Promise<PlacedEvaluationEvent[]> {
      const events: PlacedEvaluationEvent[] = [];
      for await (const event of evaluations.follow(id, after, signal)) events.push(event);
      return events;
    }

    it("keeps an evaluation with its cases from its beginning to its end, also after a restart", async () => {
      const begun = await evaluations.begin(newEvaluation());
      expect(begun).toMatchObject({
        id: ID,
        status: "running",
        started_by: "operator",
        resumed: 0,
        ended_at: null,
        exit_code: null,
        totals: { cases: 0 },
        metadata: { git_branch: "main" },
      });
      // An answer that was lost is asked for again.
      expect(await evaluations.begin(newEvaluation())).toEqual(begun);
      await evaluations.record(ID, { owner: OWNER, totals: TOTALS, cases: [newCase(0)] });
      evaluations = await opened.reopen();
      expect(await evaluations.get(ID)).toMatchObject({ status: "running", totals: TOTALS });
      await evaluations.record(ID, { owner: OWNER, cases: [newCase(1, { verdict: "fail" })] });
      const ended = await evaluations.end(ID, { ...END, exit_code: 1 });
      expect(ended).toMatchObject({ status: "completed", exit_code: 1, alive_until: null });
      expect(await evaluations.end(ID, END)).toEqual(ended);
      const { items } = await evaluations.cases(ID, {});
      expect(items).toMatchObject([newCase(0), newCase(1, { verdict: "fail" })]);
      expect(items[0]).toMatchObject({ evaluation_id: ID, change: null, comparison: null });
    });

    it("takes a client that is silent for a minute as gone, and lets another continue", async () => {
      await evaluations.begin(newEvaluation());
      opened.clock.advance(LEASE_MS - 1);
      await evaluations.record(ID, { owner: OWNER });
      opened.clock.advance(LEASE_MS - 1);
      expect((await evaluations.get(ID)).status).toBe("running");
      const resumed = newEvaluation(1, { owner: OTHER_OWNER, resume: true });
      await expectError(evaluations.begin(resumed), "EVALUATION_RUNNING");
      opened.clock.advance(1);
      expect((await evaluations.get(ID)).status).toBe("interrupted");
      const byStatus = async (status: "running" | "interrupted" | "completed") =>
        (await evaluations.list({ status: [status] })).items.length;
      expect([await byStatus("running"), await byStatus("interrupted"), await byStatus("completed")]).toEqual(
        [0, 1, 0],
      );
      expect(await evaluations.begin(resumed)).toMatchObject({ status: "running", resumed: 1 });
      await expectError(evaluations.record(ID, { owner: OWNER }), "EVALUATION_RUNNING");
      await expectError(evaluations.end(ID, END), "EVALUATION_RUNNING");
      await evaluations.end(ID, { ...END, owner: OTHER_OWNER });
      await expectError(evaluations.begin(newEvaluation(1, { resume: true })), "EVALUATION_EXISTS");
    });

    it("refuses a second evaluation of an id, and one that nobody knows", async () => {
      await evaluations.begin(newEvaluation());
      await expectError(evaluations.begin(newEvaluation(1, { owner: OTHER_OWNER })), "EVALUATION_EXISTS");
      await expectError(evaluations.get(evaluationId(2)), "EVALUATION_NOT_FOUND");
      await expectError(evaluations.get("nothing\0here"), "EVALUATION_NOT_FOUND");
      await expectError(evaluations.record(evaluationId(2), { owner: OWNER }), "EVALUATION_NOT_FOUND");
      await expectError(evaluations.cases(evaluationId(2), {}), "EVALUATION_NOT_FOUND");
    });

    it("replaces a case that settles again, and keeps two clients' evaluations apart", async () => {
      await evaluations.begin(newEvaluation(1));
      await evaluations.begin(newEvaluation(2, { owner: OTHER_OWNER }));
      await Promise.all([
        evaluations.record(ID, { owner: OWNER, cases: [newCase(0)] }),
        evaluations.record(evaluationId(2), { owner: OTHER_OWNER, cases: [newCase(0, { verdict: "fail" })] }),
      ]);
      await evaluations.record(ID, { owner: OWNER, cases: [newCase(0, { verdict: "unevaluated" })] });
      const verdicts = async (id: string) =>
        (await evaluations.cases(id, {})).items.map(({ verdict }) => verdict);
      expect(await verdicts(ID)).toEqual(["unevaluated"]);
      expect(await verdicts(evaluationId(2))).toEqual(["fail"]);
    });

    it("lists evaluations newest first, by suite, agent, status and the beginning of their id", async () => {
      for (const [number, suite, agent] of [
        [1, "a", "x"],
        [2, "b", "x"],
        [3, "b", "y"],
      ] as const)
        await evaluations.begin(
          newEvaluation(number, { suites: [{ name: suite, file: "f" }], agents: [agent] }),
        );
      await evaluations.end(evaluationId(3), END);
      const numbers = async (query: Parameters<Evaluations["list"]>[0]) =>
        (await evaluations.list(query)).items.map(({ id }) => Number.parseInt(id.slice(-4), 16));
      expect(await numbers({})).toEqual([3, 2, 1]);
      expect(await numbers({ suite: "b" })).toEqual([3, 2]);
      expect(await numbers({ suite: "b", agent: "x" })).toEqual([2]);
      expect(await numbers({ status: ["completed"] })).toEqual([3]);
      expect(await numbers({ status: ["running", "completed"] })).toEqual([3, 2, 1]);
      expect(await numbers({ prefix: evaluationId(2) })).toEqual([2]);
      const first = await evaluations.list({ limit: 2 });
      expect(await numbers({ limit: 2, cursor: first.next_cursor ?? "" })).toEqual([1]);
      await expectError(evaluations.list({ cursor: "bm90aGluZw" }), "INVALID_CURSOR");
    });

    it("pages cases in the order of the plan or the failed ones first, and filters them", async () => {
      await evaluations.begin(newEvaluation());
      const verdicts = ["pass", "fail", "unevaluated", "fail"] as const;
      await evaluations.record(ID, {
        owner: OWNER,
        cases: verdicts.map((verdict, number) => newCase(number, { verdict, agent: number > 1 ? "b" : "a" })),
      });
      async function places(query: Parameters<Evaluations["cases"]>[1]): Promise<number[]> {
        const page = await evaluations.cases(ID, query);
        const own = page.items.map(({ number }) => number);
        return page.next_cursor === null
          ? own
          : [...own, ...(await places({ ...query, cursor: page.next_cursor }))];
      }
      expect(await places({ limit: 1 })).toEqual([0, 1, 2, 3]);
      expect(await places({ limit: 1, order: "failing" })).toEqual([1, 3, 2, 0]);
      expect(await places({ verdict: ["fail"] })).toEqual([1, 3]);
      expect(await places({ agent: "b", verdict: ["fail", "pass"] })).toEqual([3]);
      expect(await places({ suite: "other" })).toEqual([]);
      const [one] = (await evaluations.cases(ID, { limit: 1 })).items;
      expect(await places({ case: one?.id ?? "" })).toEqual([0]);
      const matrix = await evaluations.matrix(ID, {});
      expect(matrix).toMatchObject({ agents: ["a", "b"], next_cursor: null });
      expect(matrix.tests.map(({ test_id, cells }) => [test_id, cells[0]?.verdict])).toEqual([
        ["test-0", "pass"],
        ["test-1", "fail"],
        ["test-2", "unevaluated"],
        ["test-3", "fail"],
      ]);
    });

    it("remembers how a case came out over time, by its id, its key and its names", async () => {
      const slashed = { suite: "a/b", test_id: "c/d", key: "k" };
      for (const number of [1, 2]) {
        await evaluations.begin(newEvaluation(number));
        const verdict = number === 1 ? "pass" : "fail";
        const cases = [newCase(0, { ...slashed, verdict }), newCase(1, { ...slashed, agent: "other" })];
        await evaluations.record(evaluationId(number), { owner: OWNER, cases });
        opened.clock.advance(1000);
      }
      const history = async (of: string, agent?: string) =>
        (await evaluations.history(of, agent === undefined ? {} : { agent })).items;
      expect((await history("a/b/c/d", "writer")).map(({ verdict }) => verdict)).toEqual(["fail", "pass"]);
      const [point] = await history("k", "writer");
      expect(point).toMatchObject({
        evaluation_name: "smoke",
        evaluation_status: "running",
        git_commit: "abc",
      });
      expect(await history(point?.id ?? "")).toHaveLength(2);
      expect(await history("k")).toHaveLength(4);
      expect(await history("a/b/c")).toEqual([]);
      const first = await evaluations.history("k", { limit: 3 });
      expect((await evaluations.history("k", { cursor: first.next_cursor ?? "" })).items).toHaveLength(1);
    });

    it("compares two evaluations in the words of the exact test", async () => {
      for (const number of [1, 2]) {
        await evaluations.begin(newEvaluation(number));
        const verdict = number === 1 ? "pass" : "fail";
        const cases = Array.from({ length: 10 }, (_, index) => newCase(index, { verdict }));
        await evaluations.record(evaluationId(number), { owner: OWNER, cases });
        await evaluations.end(evaluationId(number), END);
      }
      const comparison = await evaluations.compare(evaluationId(1), evaluationId(2));
      expect(comparison).toMatchObject({ regression: true, outcome: "fail", overall: { only_before: 10 } });
      expect(comparison.findings.length).toBeGreaterThan(0);
      expect(await evaluations.compare(ID, ID)).toMatchObject({ regression: false, outcome: "pass" });
      await expectError(evaluations.compare(ID, evaluationId(9)), "EVALUATION_NOT_FOUND");
      const [worse] = comparison.cases;
      if (worse === undefined) throw new Error("no case was compared");
      await evaluations.begin(newEvaluation(3));
      await evaluations.record(evaluationId(3), { owner: OWNER, cases: [newCase(0)] });
      await evaluations.record(evaluationId(3), { owner: OWNER, comparisons: [worse] });
      const [compared] = (await evaluations.cases(evaluationId(3), {})).items;
      expect(compared).toMatchObject({ change: worse.change, comparison: worse });
    });

    it("removes an evaluation that nobody records, with its runs if asked", async () => {
      await evaluations.begin(newEvaluation());
      await evaluations.record(ID, { owner: OWNER, cases: [newCase(0)] });
      await expectError(evaluations.remove(ID), "EVALUATION_RUNNING");
      await evaluations.end(ID, END);
      await evaluations.remove(ID);
      await expectError(evaluations.remove(ID), "EVALUATION_NOT_FOUND");
      expect((await evaluations.list({ suite: "smoke" })).items).toEqual([]);
      expect((await evaluations.history("smoke/test-0", {})).items).toEqual([]);
      expect(opened.removedRuns).toEqual([]);
      await evaluations.begin(newEvaluation(2));
      await evaluations.end(evaluationId(2), END);
      await evaluations.remove(evaluationId(2), { runs: true });
      expect(opened.removedRuns).toEqual([evaluationId(2)]);
    });

    it("tells followers of every case once, from where they were, until the evaluation ends", async () => {
      await evaluations.begin(newEvaluation());
      await evaluations.record(ID, { owner: OWNER, totals: TOTALS, cases: [newCase(0)] });
      const live = gather(ID);
      await evaluations.record(ID, { owner: OWNER });
      await evaluations.record(ID, { owner: OWNER, totals: { ...TOTALS, cases: 2 }, cases: [newCase(1)] });
      await evaluations.end(ID, END);
      const events = await live;
      const cases = events.flatMap(({ event }) =>
        event.type === "evaluation.case" ? event.case.number : [],
      );
      expect(cases).toEqual([0, 1]);
      const last = events.at(-1);
      expect(last?.event).toMatchObject({ type: "evaluation.changed", evaluation: { status: "completed" } });
      const positions = events.map(({ position }) => position);
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
      const second = events.find(({ event }) => event.type === "evaluation.case")?.position ?? 0;
      const rest = await gather(ID, second);
      expect(rest.map(({ event }) => event.type)).toEqual(["evaluation.case", "evaluation.changed"]);
      expect(await gather(ID, last?.position)).toEqual([]);
    });

    it("tells those who follow all evaluations of each, from where they were, until they leave", async () => {
      await evaluations.begin(newEvaluation(1));
      const leaving = new AbortController();
      const heard: string[] = [];
      const positions: number[] = [];
      const follow = async (after: number, until: string): Promise<void> => {
        for await (const { position, event } of evaluations.follow(undefined, after, leaving.signal)) {
          positions.push(position);
          heard.push(`${event.type} ${event.evaluation_id.slice(-1)}`);
          if (heard.at(-1) === until) return;
        }
      };
      await follow(0, "evaluation.changed 1");
      const live = follow(positions.at(-1) ?? 0, "evaluation.changed 2");
      await evaluations.begin(newEvaluation(2));
      await live;
      await evaluations.record(ID, { owner: OWNER, cases: [newCase(0)] });
      await follow(positions.at(-1) ?? 0, "evaluation.changed 1");
      leaving.abort();
      expect(heard).toEqual([
        "evaluation.changed 1",
        "evaluation.changed 2",
        "evaluation.case 1",
        "evaluation.changed 1",
      ]);
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    });

    it("tells followers that a client went silent, and that its evaluation was removed", async () => {
      await evaluations.begin(newEvaluation());
      const statuses: string[] = [];
      let heard = (): void => undefined;
      const isInterrupted = new Promise<void>((resolve) => (heard = resolve));
      const live = (async () => {
        for await (const { event } of evaluations.follow(ID, 0, signal)) {
          statuses.push(event.type === "evaluation.changed" ? event.evaluation.status : event.type);
          if (statuses.at(-1) === "running") opened.clock.advance(LEASE_MS);
          if (statuses.at(-1) === "interrupted") heard();
        }
      })();
      await isInterrupted;
      await evaluations.remove(ID);
      await live;
      expect(statuses).toEqual(["running", "interrupted", "evaluation.removed"]);
    });

    it.each<[string, object, RegExp]>([
      ["an id that is no UUID", { id: "1" }, /id/],
      ["an unknown field", { nmae: "x" }, /nmae/],
      ["a name that is too long", { name: "x".repeat(501) }, /name/],
      ["a NUL in the name of an agent", { agents: ["a\0b"] }, /agents/],
      [
        "more suites than are kept",
        { suites: Array.from({ length: 1001 }, () => ({ name: "a", file: "b" })) },
        /suites/,
      ],
      ["a plan of minus one case", { planned: { cases: -1, runs: 0 } }, /planned/],
    ])("refuses to begin an evaluation with %s", async (_what, wrong, message) => {
      await expectError(evaluations.begin({ ...newEvaluation(), ...wrong }), "INVALID_REQUEST", message);
      expect((await evaluations.list({})).items).toEqual([]);
    });

    it.each<[string, object]>([
      ["an unknown verdict", { verdict: "maybe" }],
      ["a NUL in its test", { test_id: "a\0" }],
      ["a reason that is too long", { reason: "x".repeat(EVALUATION_LIMITS.textChars + 1) }],
      ["a negative cost", { cost_usd: -1 }],
      ["details beyond their limit", { tags: [], checks: longChecks() }],
    ])("refuses to record a case with %s, and keeps nothing of the record", async (_what, wrong) => {
      await evaluations.begin(newEvaluation());
      // Wrong on purpose.
      const cases = [newCase(0), { ...newCase(1), ...wrong }] as never;
      await expectError(evaluations.record(ID, { owner: OWNER, cases }), "INVALID_REQUEST");
      expect((await evaluations.cases(ID, {})).items).toEqual([]);
    });

    it("keeps names that are hostile to terminals, pages and queries as they are", async () => {
      const odd = ["'; drop table runs; --", "\u001b[31m", "</script>", "%_\\", "🦊\u202e", "__proto__", ""];
      await evaluations.begin(newEvaluation(1, { agents: odd }));
      const cases = odd.map((text, number) =>
        newCase(number, { suite: text, test_id: text, agent: text, name: text }),
      );
      await evaluations.record(ID, { owner: OWNER, cases });
      const { items } = await evaluations.cases(ID, {});
      expect(items.map(({ suite }) => suite)).toEqual(odd);
      for (const text of odd.filter((each) => each !== "")) {
        expect((await evaluations.list({ agent: text })).items).toHaveLength(1);
        expect((await evaluations.cases(ID, { agent: text })).items).toHaveLength(1);
        expect((await evaluations.history(`${text}/${text}`, {})).items).toHaveLength(1);
      }
    });
  });
}

/** Each within its limits, and all together beyond those of a case. */
function longChecks(): object[] {
  const check = {
    type: "contains",
    verdict: "pass",
    reason: "\u0001".repeat(1000),
    critical: false,
    turn: null,
  };
  return Array.from({ length: EVALUATION_LIMITS.checks }, () => check);
}
