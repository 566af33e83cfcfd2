// What several runs of one case say: pass@k, pass^k and flakiness, against enumeration of every choice of runs.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flakiness } from "./flakiness.ts";
import { passAtK, passHatK } from "./pass-at-k.ts";

const counts = fc.integer({ min: 1, max: 10 }).chain((runs) =>
  fc.record({
    runs: fc.constant(runs),
    passed: fc.integer({ min: 0, max: runs }),
    k: fc.integer({ min: 1, max: runs }),
  }),
);

describe("passAtK and passHatK", () => {
  it("equal the shares among all choices of k runs", () => {
    fc.assert(
      fc.property(counts, ({ runs, passed, k }) => {
        const all = choices(runs, k).map((choice) => choice.map((run) => run < passed));
        const some = all.filter((outcomes) => outcomes.some(Boolean)).length / all.length;
        const every = all.filter((outcomes) => outcomes.every(Boolean)).length / all.length;
        expect(passAtK(runs, passed, k)).toBeCloseTo(some, 12);
        expect(passHatK(runs, passed, k)).toBeCloseTo(every, 12);
      }),
    );
  });

  it("equal the pass rate for one attempt", () => {
    expect(passAtK(10, 3, 1)).toBeCloseTo(0.3, 14);
    expect(passHatK(10, 3, 1)).toBeCloseTo(0.3, 14);
  });

  it("agree with the product in Chen et al. for 200 runs, 10 of them correct, and k = 100", () => {
    let none = 1;
    for (let i = 191; i <= 200; i++) none *= 1 - 100 / i;
    expect(passAtK(200, 10, 100)).toBeCloseTo(1 - none, 12);
  });

  it("survive a million runs", () => {
    expect(passAtK(1_000_000, 500_000, 10)).toBeCloseTo(1 - 0.5 ** 10, 5);
    expect(passHatK(1_000_000, 999_999, 1_000_000)).toBe(0);
    expect(passHatK(1_000_000, 1_000_000, 1_000_000)).toBe(1);
  });

  it("say nothing about more attempts than there were runs", () => {
    expect(passAtK(3, 3, 4)).toBeUndefined();
    expect(passHatK(3, 3, 4)).toBeUndefined();
    expect(passAtK(0, 0, 1)).toBeUndefined();
  });

  it.each([
    [-1, 0, 1],
    [3, 4, 1],
    [3, -1, 1],
    [3, NaN, 1],
    [3, 1, 0],
    [3, 1, 1.5],
  ])("refuse %d runs, %d passed, k = %d", (runs, passed, k) => {
    expect(() => passAtK(runs, passed, k)).toThrow(RangeError);
    expect(() => passHatK(runs, passed, k)).toThrow(RangeError);
  });
});

describe("flakiness", () => {
  it("is the share of pairs of runs that disagree", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("pass" as const, "fail" as const), { minLength: 2, maxLength: 12 }),
        (outcomes) => {
          const pairs = choices(outcomes.length, 2);
          const differ = pairs.filter(([one = 0, other = 0]) => outcomes[one] !== outcomes[other]);
          expect(flakiness(outcomes)).toBeCloseTo(differ.length / pairs.length, 12);
        },
      ),
    );
  });

  it("is without bias: its mean over all outcomes is 2p(1-p)", () => {
    const [rate, runs] = [0.3, 6];
    let mean = 0;
    for (let mask = 0; mask < 2 ** runs; mask++) {
      const passes = Array.from({ length: runs }, (_, run) => ((mask >> run) & 1) === 1);
      const probability = passes.reduce((product, pass) => product * (pass ? rate : 1 - rate), 1);
      mean += probability * (flakiness(passes.map((pass) => (pass ? "pass" : "fail"))) ?? NaN);
    }
    expect(mean).toBeCloseTo(2 * rate * (1 - rate), 12);
  });

  it("needs two runs", () => {
    expect(flakiness([])).toBeUndefined();
    expect(flakiness(["fail"])).toBeUndefined();
  });
});

function choices(of: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  return Array.from({ length: Math.max(0, of - from) }, (_, index) => from + index).flatMap((first) =>
    choices(of, k - 1, first + 1).map((rest) => [first, ...rest]),
  );
}
