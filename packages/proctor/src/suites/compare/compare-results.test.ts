// What a comparison says about results whose truth is known.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rows, section } from "../../../test/support/markdown.ts";
import { fisherExact } from "../statistics/fisher.ts";
import { createSeededRandom } from "../statistics/seeded-random.ts";
import { createCaseTests } from "./case-tests.ts";
import { compareResults } from "./compare-results.ts";
import type { Comparison, ResultCase } from "./comparison.ts";
import { pairCases } from "./pair-cases.ts";
import { drawnSet, resultCase, resultRun, resultSet } from "../../../test/support/compare/results.ts";
import { testHypotheses } from "./test-hypotheses.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";

const compare = (before: ResultCase[], after: ResultCase[], alpha?: number): Comparison =>
  compareResults(resultSet(before, "before"), resultSet(after, "after"), {
    ...(alpha !== undefined && { alpha }),
  });
const many = (count: number, of: (id: string) => ResultCase): ResultCase[] =>
  Array.from({ length: count }, (_, index) => of(`t${index}`));
const changes = ({ cases }: Comparison): string[] =>
  cases.map(({ test_id, change }) => `${test_id} ${change}`);

describe("a compared case", () => {
  it("has regressed when so large a drop is unlikely, after correction", () => {
    const comparison = compare([resultCase("greets", [9, 1])], [resultCase("greets", [2, 8])]);
    const [one] = comparison.cases;
    // One case alone: over all there is nothing that could be significant, so nothing is corrected.
    const { less } = fisherExact({ passed: 9, total: 10 }, { passed: 2, total: 10 });
    expect(one).toMatchObject({ change: "regressed", p_worse: less, p_worse_adjusted: less });
    expect(one?.before).toMatchObject({ runs: 10, passed: 9, rate: 0.9 });
    expect(comparison.regression).toBe(true);
    expect(comparison.findings[0]).toBe("greets [a]: 9/10 → 2/10, worse (p = 0.0027 after correction)");
  });

  it("has improved by the same rule, and that is no regression", () => {
    const comparison = compare([resultCase("greets", [2, 8])], [resultCase("greets", [9, 1])]);
    expect(changes(comparison)).toEqual(["greets improved"]);
    expect(comparison.regression).toBe(false);
    expect(comparison.findings[0]).toBe("greets [a]: 2/10 → 9/10, better (p = 0.0027 after correction)");
  });

  it("is undecided when its outcome flipped and that may be chance, and says how many runs would show it", () => {
    const comparison = compare([resultCase("greets", [3])], [resultCase("greets", [2, 1])]);
    const [one] = comparison.cases;
    expect(one).toMatchObject({ change: "undecided", p_worse: 0.5, p_worse_adjusted: 1 });
    expect(one?.runs_needed).toBeGreaterThan(10);
    const runs = one?.runs_needed;
    expect(comparison.findings).toContain(
      `greets [a]: pass → fail (3/3 → 2/3), not significant: about ${runs} runs before and after would show such a change`,
    );
    expect(comparison.regression).toBe(false);
  });

  it("says nothing about runs that could not be evaluated, but counts them", () => {
    const comparison = compare([resultCase("greets", [5, 0, 2])], [resultCase("greets", [5, 0, 1])]);
    expect(comparison.cases[0]).toMatchObject({
      change: "unchanged",
      before: { runs: 5, unevaluated: 2, passed: 5 },
    });
    expect(comparison.findings).toContain(
      "left out, because they could not be evaluated: 2 runs before, 1 run now",
    );
    const none = compare([resultCase("greets", [5])], [resultCase("greets", [0, 0, 4])]);
    expect(none.cases[0]).toMatchObject({ change: "undecided", p_worse: null, detectable_drop: null });
    expect(none.findings).toContain("greets [a]: could not be evaluated now (4 of 4 runs)");
  });

  it("is new or missing when it is on one side only", () => {
    const comparison = compare([resultCase("old", [3])], [resultCase("fresh", [1, 2])]);
    expect(changes(comparison)).toEqual(["fresh new", "old missing"]);
    expect(comparison.findings).toEqual([
      "nothing to compare: no case is in both",
      "1 missing case: old [a] (3/3 before)",
      "1 new case: fresh [a] (1/3)",
    ]);
  });

  it("is another case under another suite, test or agent", () => {
    const one = resultCase("x", [1]);
    const others = [
      { ...one, suite: "b" },
      { ...one, test_id: "b" },
      { ...one, agent: "b" },
    ];
    const comparison = compare([one], others);
    expect(comparison.cases.map(({ change }) => change).sort()).toEqual(["missing", "new", "new", "new"]);
  });

  it("is edited when its key is another, and only where both are known", () => {
    const keyed = (key: string): ResultCase => resultCase("greets", [3], { key });
    expect(compare([keyed("a")], [keyed("b")]).cases[0]?.edited).toBe(true);
    expect(compare([keyed("a")], [keyed("a")]).cases[0]?.edited).toBe(false);
    expect(compare([keyed("a")], [keyed("")]).cases[0]?.edited).toBe(false);
    expect(compare([keyed("a")], [keyed("b")]).findings.join("\n")).toContain("1 case was edited since");
  });

  it("is compared over equally many runs where its pass rate decided how many there are", () => {
    const before = resultCase("gate", [35], { gated: true });
    const after = resultCase("gate", [0, 2], { gated: true });
    // Two failures at the start are not rare enough, and 35 passes make them no rarer.
    expect(compare([before], [after]).cases[0]).toMatchObject({ p_worse: 1 / 6, change: "undecided" });
    const free = compare([resultCase("gate", [35])], [resultCase("gate", [0, 2])]);
    expect(free.cases[0]).toMatchObject({ change: "regressed" });
  });

  it("counts the runs of cases that nothing tells apart together", () => {
    const twice = [resultCase("x", [4]), resultCase("x", [3, 1])];
    const comparison = compare(twice, twice);
    expect(comparison.cases).toHaveLength(1);
    expect(comparison.cases[0]?.before).toMatchObject({ runs: 8, passed: 7, outcome: "fail" });
  });
});

describe("all compared cases together", () => {
  it("are worse when enough of them flipped one way, though each has one run", () => {
    const before = many(20, (id) => resultCase(id, [1]));
    const failing = (count: number): ResultCase[] =>
      before.map((one, index) => (index < count ? resultCase(one.test_id, [0, 1]) : one));
    const four = compare(before, failing(4));
    expect(four.overall).toMatchObject({ cases: 20, only_before: 4, only_after: 0, detectable_flips: 5 });
    expect(four.regression).toBe(false);
    expect(four.findings[0]).toBe(
      "smoke: 4 cases flipped to fail, 0 to pass; not significant over all: 5 one-way flips would be needed",
    );
    const five = compare(before, failing(5));
    expect(five.overall).toMatchObject({ p_worse: 1 / 32, p_worse_adjusted: 1 / 32 });
    expect(five.regression).toBe(true);
    expect(five.findings[0]).toBe(
      "smoke: 5 cases flipped to fail, 0 to pass: worse over all (p = 0.031 after correction)",
    );
  });

  it("are not worse because they are run more often", () => {
    // Every case fails one run in ten: of one run it rarely shows, of ten mostly.
    const before = many(30, (id) => resultCase(id, [1]));
    const after = many(30, (id) => resultCase(id, [9, 1]));
    expect(compare(before, after).overall).toMatchObject({ only_before: 0, p_worse: 1 });
  });

  it("are compared by their verdict where a pass rate allows for failures", () => {
    const before = many(6, (id) => resultCase(id, [9, 1], { outcome: "pass" }));
    const after = many(6, (id) => resultCase(id, [8, 4], { outcome: "fail" }));
    expect(compare(before, after).overall).toMatchObject({ only_before: 6, p_worse: expect.closeTo(1 / 64) });
  });

  it("have scores, durations and costs that are compared in pairs", () => {
    const scored = (id: string, score: number): ResultCase =>
      resultCase(id, [0], { outcome: "pass", runs: [resultRun("pass", { score, duration_ms: 10 })] });
    const comparison = compare(
      many(8, (id) => scored(id, 90)),
      many(8, (id) => scored(id, 80)),
    );
    expect(comparison.overall).toMatchObject({ score_difference: -10, p_score: 2 / 2 ** 8 });
    expect(comparison.measures).toMatchObject([
      { name: "score", before: 90, after: 80, cases: 8, p_adjusted: 4 / 2 ** 8 },
      { name: "latency_ms", p: 1 },
    ]);
    expect(comparison.findings).toContain("score: 90.0 → 80.0, lower (p = 0.016 after correction)");
    // Scores inform: everything still passes.
    expect(comparison.regression).toBe(false);
  });

  it("say what could have been found", () => {
    const ten = many(20, (id) => resultCase(id, [10]));
    const { cases, findings } = compare(ten, ten);
    expect(findings.at(-1)).toBe(
      "what these runs could show: 5 of 20 cases flipping one way; a drop of a single case by 59 points (4 times out of 5)",
    );
    expect(cases[0]?.detectable_drop).toBeCloseTo(0.581, 2);
    const one = many(3, (id) => resultCase(id, [1]));
    expect(compare(one, one).findings).toEqual([
      "what these runs could show: nothing over all, where 5 cases would have to flip one way and there are 3; no drop of a single case, which has too few runs",
    ]);
  });
});

describe("the error rate of a comparison", () => {
  const ALPHA = 0.05;
  const SIMULATIONS = 1500;
  const LIMIT = ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / SIMULATIONS);

  it.each([
    { cases: 20, before: 1, after: 1, rate: () => 0.8 },
    { cases: 8, before: 10, after: 10, rate: () => 0.9 },
    { cases: 3, before: 20, after: 20, rate: () => 0.7 },
    { cases: 20, before: 3, after: 10, rate: (index: number) => (index + 1) / 21 },
    { cases: 12, before: 20, after: 5, rate: () => 0.95 },
  ])("is at most alpha when nothing changed: $cases cases, $before and $after runs", (setting) => {
    const random = createSeededRandom(20_260_101 + setting.cases);
    const rates = Array.from({ length: setting.cases }, (_, index) => setting.rate(index));
    const tests = createCaseTests();
    let [worse, better] = [0, 0];
    for (let round = 0; round < SIMULATIONS; round++) {
      const drawn = (runs: number): ResultCase[] => drawnSet(random, rates, runs).cases;
      const { cases, overall } = testHypotheses(
        pairCases(drawn(setting.before), drawn(setting.after)),
        ALPHA,
        tests,
      );
      const all = [overall, ...cases];
      if (all.some((one) => one && one.worse.adjusted <= ALPHA)) worse += 1;
      if (all.some((one) => one && one.better.adjusted <= ALPHA)) better += 1;
    }
    expect(worse / SIMULATIONS).toBeLessThan(LIMIT);
    expect(better / SIMULATIONS).toBeLessThan(LIMIT);
  });

  it("leaves power: an agent that breaks one case of twenty is found out", () => {
    const random = createSeededRandom(7);
    const tests = createCaseTests();
    const drawn = (first: number): ResultCase[] => {
      const rates = Array.from({ length: 20 }, (_, index) => (index === 0 ? first : 0.97));
      return drawnSet(random, rates, 10).cases;
    };
    let found = 0;
    for (let round = 0; round < 200; round++) {
      const [one] = testHypotheses(pairCases(drawn(0.97), drawn(0.2)), ALPHA, tests).cases;
      if (one && one.worse.adjusted <= ALPHA) found += 1;
    }
    expect(found / 200).toBeGreaterThan(0.9);
  });
});

describe("a comparison of any results", () => {
  const anyCase = fc
    .record({
      test_id: fc.constantFrom("a", "b", "c", "d"),
      agent: fc.constantFrom("x", "y"),
      counts: fc.tuple(fc.nat(12), fc.nat(12), fc.nat(3)),
      gated: fc.boolean(),
    })
    .map(({ test_id, agent, counts, gated }) => resultCase(test_id, counts, { agent, gated }));
  const anyCases = fc.array(anyCase, { maxLength: 10 });

  it("finds nothing worse when both sides are the same", () => {
    fc.assert(
      fc.property(anyCases, (cases) => {
        const comparison = compare(cases, cases);
        expect(comparison.regression).toBe(false);
        expect(comparison.cases.every(({ change }) => change === "unchanged")).toBe(true);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it("calls a change worse one way and better the other way", () => {
    fc.assert(
      fc.property(anyCases, anyCases, (first, second) => {
        const [there, back] = [compare(first, second), compare(second, first)];
        expect(there.overall.p_worse_adjusted).toBeCloseTo(back.overall.p_better_adjusted ?? -1, 12);
        for (const [index, one] of there.cases.entries()) {
          const other = back.cases[index];
          expect(one.p_worse_adjusted ?? -1).toBeCloseTo(other?.p_better_adjusted ?? -1, 12);
          expect(one.change === "regressed").toBe(other?.change === "improved");
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it("has every case once, and is JSON", () => {
    fc.assert(
      fc.property(anyCases, anyCases, (first, second) => {
        const comparison = compare(first, second);
        const names = new Set([...first, ...second].map(({ test_id, agent }) => `${test_id} ${agent}`));
        expect(comparison.cases).toHaveLength(names.size);
        expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
      }),
      { numRuns: propertyRuns(50) },
    );
  });
});

it("a comparison refuses an impossible significance level", () => {
  for (const alpha of [0, 1, -1, Number.NaN]) expect(() => compare([], [], alpha)).toThrow("between 0 and 1");
});

it("a comparison of ten thousand cases of ten runs is quick", () => {
  const random = createSeededRandom(5);
  const rates = (rate: number): number[] => Array.from({ length: 10_000 }, () => rate);
  const [before, after] = [drawnSet(random, rates(0.9), 10), drawnSet(random, rates(0.8), 10)];
  const startedMs = threadCpuMs();
  const comparison = compareResults(before, after);
  // Time of the processor, of this thread: the machine may be busy with something else.
  expect(threadCpuMs() - startedMs).toBeLessThan(30_000);
  expect(comparison.regression).toBe(true);
  expect(comparison.findings.length).toBeLessThan(60);
});

it("the table of the regression guide says what each number of runs shows", () => {
  const guide = fileURLToPath(new URL("../../../../../docs/guides/regression-gate.md", import.meta.url));
  const documented = rows(section(readFileSync(guide, "utf8"), "How many runs"));
  expect(documented).toHaveLength(5);
  for (const [runs = "", shown = ""] of documented) {
    const results = many(20, (id) => resultCase(id, [Number(runs)]));
    const drop = compare(results, results).cases[0]?.detectable_drop ?? null;
    expect(shown, runs).toBe(drop === null ? "none" : `to ${Math.floor((1 - drop) * 100)} %`);
  }
});
