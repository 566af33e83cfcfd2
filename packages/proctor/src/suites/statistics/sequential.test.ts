import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { clopperPearsonLower } from "./clopper-pearson.ts";
import { exactOutcome } from "../../../test/support/statistics/exact-outcome.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { fewestRunsToPass } from "../../../test/support/statistics/fewest-runs.ts";
import { createGate, type Gate, type GateRule } from "./sequential.ts";

const RULE: GateRule = { at_least: 0.9, confidence: 0.95, max_runs: 300, sequential: true };
const ONCE: GateRule = { ...RULE, sequential: false, max_runs: 100 };

const count = fc.integer({ min: 0, max: 200 });
const share = fc.double({ min: 0.02, max: 0.98, noNaN: true });
const level = fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.99);

describe("the errors of a sequential gate", () => {
  it.each([
    { at_least: 0.5, confidence: 0.95 },
    { at_least: 0.8, confidence: 0.9 },
    { at_least: 0.9, confidence: 0.95 },
    { at_least: 0.95, confidence: 0.99 },
    { at_least: 0.99, confidence: 0.95 },
  ])("computed exactly over 600 looks: at most 1 - $confidence each, at $at_least", (rule) => {
    const error = 1 - rule.confidence;
    for (const shift of [-0.05, -0.01, -0.001, 0, 0.001, 0.005]) {
      const rate = rule.at_least + shift;
      const { pass, fail } = exactOutcome(rule.at_least, error, rate, 600);
      if (shift <= 0) expect(pass).toBeLessThanOrEqual(error);
      if (shift >= 0) expect(fail).toBeLessThanOrEqual(error);
    }
  });

  const decide = remembered(createGate(RULE));

  it.each([
    { rate: 0.895, wrong: "pass" },
    { rate: 0.9, wrong: "fail" },
    { rate: 0.92, wrong: "fail" },
    { rate: 0.8, wrong: "pass" },
  ])("simulated, looking after each of 300 runs: wrong ($wrong) at a rate of $rate", ({ rate, wrong }) => {
    const random = createSeededRandom(41);
    const trials = 3000;
    let errors = 0;
    for (let trial = 0; trial < trials; trial++) {
      if (firstDecision(decide, 300, () => random.next() < rate) === wrong) errors++;
    }
    const margin = 3 * Math.sqrt((0.05 * 0.95) / trials);
    expect(errors / trials).toBeLessThan(0.05 + margin);
  });

  it("would be far too many with a fixed-size test at every look", () => {
    const random = createSeededRandom(43);
    const trials = 1000;
    const bounds = new Map<number, number>();
    const naive = (passed: number, failed: number): string => {
      const key = passed * 1000 + failed;
      const low = bounds.get(key) ?? clopperPearsonLower(passed, passed + failed);
      bounds.set(key, low);
      return low >= 0.9 ? "pass" : "undecided";
    };
    let errors = 0;
    for (let trial = 0; trial < trials; trial++) {
      if (firstDecision(naive, 300, () => random.next() < 0.895) === "pass") errors++;
    }
    expect(errors / trials).toBeGreaterThan(0.08);
  });

  it("would be many if runs were counted as they end: slow failures come last", () => {
    const random = createSeededRandom(47);
    const decideInOrder = (order: (batch: boolean[]) => boolean[]): number => {
      let errors = 0;
      for (let trial = 0; trial < 200; trial++) {
        const outcomes = order(Array.from({ length: 60 }, () => random.next() < 0.8));
        if (firstDecision(decide, 60, () => outcomes.shift() === true) === "pass") errors++;
      }
      return errors / 200;
    };
    expect(decideInOrder((batch) => batch)).toBeLessThan(0.05);
    expect(decideInOrder((batch) => batch.toSorted((a, b) => Number(b) - Number(a)))).toBeGreaterThan(0.9);
  });
});

describe("a sequential gate", () => {
  it("passes an agent that never fails after a few runs more than a fixed size needs", () => {
    // ln 0.05 / ln 0.9 = 28.4: an exact test of fixed size needs 29.
    expect(fewestRunsToPass({ ...RULE, sequential: false })).toBe(29);
    expect(fewestRunsToPass(RULE)).toBe(35);
    const gate = createGate(RULE);
    expect(gate.decide(34, 0).decision).toBe("undecided");
    expect(gate.decide(35, 0).decision).toBe("pass");
    expect(fewestRunsToPass({ ...RULE, at_least: 1 })).toBeUndefined();
    expect(fewestRunsToPass({ ...RULE, at_least: 0 })).toBe(0);
  });

  it("fails a broken agent at once", () => {
    expect(createGate(RULE).decide(0, 2)).toMatchObject({ decision: "fail" });
  });

  it("decides most often when the rate is clear of the threshold", () => {
    expect(exactOutcome(0.9, 0.05, 0.98, 300).pass).toBeGreaterThan(0.99);
    expect(exactOutcome(0.9, 0.05, 0.8, 300).fail).toBeGreaterThan(0.95);
    expect(exactOutcome(0.9, 0.05, 0.5, 60).fail).toBeGreaterThan(0.99);
  });

  it("decides as its interval says: all of it on one side", () => {
    fc.assert(
      fc.property(share, level, count, count, (at_least, confidence, passed, failed) => {
        const { decision, interval } = createGate({ ...RULE, at_least, confidence }).decide(passed, failed);
        const { low, high } = interval;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        const rate = passed / Math.max(1, passed + failed);
        if (passed + failed > 0) expect(low - 1e-9 <= rate && rate <= high + 1e-9).toBe(true);
        if (low > at_least + 1e-9) expect(decision).toBe("pass");
        else if (high < at_least - 1e-9) expect(decision).toBe("fail");
        else if (low < at_least - 1e-9 && high > at_least + 1e-9) expect(decision).toBe("undecided");
      }),
    );
  });

  it("is monotone: a pass never speaks against passing, a failure never for it", () => {
    const rank = { fail: 0, undecided: 1, pass: 2 };
    fc.assert(
      fc.property(share, level, count, count, (at_least, confidence, passed, failed) => {
        const gate = createGate({ ...RULE, at_least, confidence });
        const at = (p: number, f: number): number => rank[gate.decide(p, f).decision];
        expect(at(passed + 1, failed)).toBeGreaterThanOrEqual(at(passed, failed));
        expect(at(passed, failed + 1)).toBeLessThanOrEqual(at(passed, failed));
      }),
    );
  });

  it("is symmetric: failures against 1 - at_least are decided like passes", () => {
    const mirror = { pass: "fail", fail: "pass", undecided: "undecided" };
    fc.assert(
      // Eighths, so that 1 - at_least is exact.
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        level,
        count,
        count,
        (eighths, confidence, passed, failed) => {
          const there = createGate({ ...RULE, at_least: eighths / 8, confidence }).decide(passed, failed);
          const back = createGate({ ...RULE, at_least: 1 - eighths / 8, confidence }).decide(failed, passed);
          expect(back.decision).toBe(mirror[there.decision]);
          expect(back.interval.low).toBeCloseTo(1 - there.interval.high, 9);
        },
      ),
    );
  });

  it("covers the true rate at all times together, each end as often as it says", () => {
    const random = createSeededRandom(53);
    const gate = createGate(RULE);
    const lows = new Map<number, number>();
    const rate = 0.7;
    let missed = 0;
    for (let trial = 0; trial < 1500; trial++) {
      let passed = 0;
      for (let runs = 1; runs <= 150; runs++) {
        if (random.next() < rate) passed++;
        const key = passed * 1000 + runs;
        const low = lows.get(key) ?? gate.decide(passed, runs - passed).interval.low;
        lows.set(key, low);
        if (low <= rate) continue;
        missed++;
        break;
      }
    }
    expect(missed / 1500).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 1500));
    expect(missed).toBeGreaterThan(0);
  });

  it("says about how many more runs it needs, and is right about it", () => {
    const gate = createGate(RULE);
    expect(gate.decide(10, 0).more_runs).toBe(25);
    for (const [passed, failed] of [
      [95, 5],
      [19, 1],
      [85, 15],
      [7, 3],
    ] as const) {
      const runs = passed + failed;
      const total = runs + (gate.decide(passed, failed).more_runs ?? NaN);
      const at = (all: number): string => {
        const passes = Math.round((all * passed) / runs);
        return gate.decide(passes, all - passes).decision;
      };
      expect(at(total)).not.toBe("undecided");
      expect(at(Math.floor(total * 0.8))).toBe("undecided");
    }
    expect(gate.decide(90, 10)).not.toHaveProperty("more_runs");
    expect(gate.decide(900_000, 100_000)).not.toHaveProperty("more_runs");
    expect(gate.decide(0, 0)).toEqual({ decision: "undecided", interval: { low: 0, high: 1 } });
  });

  it("knows the edges: everything is at least 0, only perfection is at least 1", () => {
    const zero = createGate({ ...RULE, at_least: 0 });
    expect(zero.decide(0, 0).decision).toBe("pass");
    expect(zero.decide(0, 50).decision).toBe("pass");
    const one = createGate({ ...RULE, at_least: 1 });
    expect(one.decide(1000, 0)).toMatchObject({ decision: "undecided" });
    expect(one.decide(1000, 0)).not.toHaveProperty("more_runs");
    expect(one.decide(1000, 1).decision).toBe("fail");
  });

  it("decides in a few milliseconds at most", () => {
    const gate = createGate(RULE);
    const startedAt = threadCpuMs();
    for (let index = 0; index < 300; index++) gate.decide(index - (index >> 4), index >> 4);
    // Measured at 20 µs each; the limit leaves room for a slow machine and the first calls.
    expect((threadCpuMs() - startedAt) / 300).toBeLessThan(10);
  });
});

describe("a gate that looks once", () => {
  it("waits for the last run, then decides by the exact test", () => {
    const gate = createGate(ONCE);
    expect(gate.decide(99, 0)).toMatchObject({ decision: "undecided", more_runs: 1 });
    // P(X >= 95 | 100, 0.9) = 0.0576 and P(X >= 96) = 0.0237; P(X <= 84) = 0.0399 and P(X <= 85) = 0.0726.
    expect(gate.decide(96, 4).decision).toBe("pass");
    expect(gate.decide(95, 5).decision).toBe("undecided");
    expect(gate.decide(85, 15).decision).toBe("undecided");
    expect(gate.decide(84, 16).decision).toBe("fail");
    expect(gate.decide(95, 5).more_runs).toBeGreaterThan(0);
    expect(gate.decide(96, 4).interval.low).toBeGreaterThanOrEqual(0.9);
  });

  it("refuses a second look", () => {
    expect(() => createGate(ONCE).decide(101, 0)).toThrow("looks once, after 100 runs; it was given 101");
  });
});

describe("a gate refuses", () => {
  it.each([
    { at_least: 1.1 },
    { at_least: NaN },
    { confidence: 0.4 },
    { confidence: 1 },
    { max_runs: 0 },
    { max_runs: 1.5 },
    { max_runs: 1e9 },
  ])("the rule %j", (wrong) => {
    expect(() => createGate({ ...RULE, ...wrong })).toThrow(RangeError);
  });

  it.each([
    [-1, 0],
    [0, NaN],
    [1.5, 0],
    [600_000, 600_000],
  ])("the counts %d and %d", (passed, failed) => {
    expect(() => createGate(RULE).decide(passed, failed)).toThrow(RangeError);
  });
});

/** A gate forgets nothing by being asked again, and the test is quicker. */
function remembered(gate: Gate): (passed: number, failed: number) => string {
  const known = new Map<number, string>();
  return (passed, failed) => {
    const key = passed * 100_000 + failed;
    const decision = known.get(key) ?? gate.decide(passed, failed).decision;
    known.set(key, decision);
    return decision;
  };
}

function firstDecision(
  decide: (passed: number, failed: number) => string,
  maxRuns: number,
  passes: () => boolean,
): string {
  let passed = 0;
  for (let runs = 1; runs <= maxRuns; runs++) {
    if (passes()) passed++;
    const decision = decide(passed, runs - passed);
    if (decision !== "undecided") return decision;
  }
  return "undecided";
}
