// Holds docs/reference/statistics.md to the code: every number in its tables is computed here, and every example is known.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rows, section } from "../../../test/support/markdown.ts";
import { clopperPearsonLower } from "./clopper-pearson.ts";
import { describe as describeValues } from "./describe.ts";
import { detectableDrop, detectableFlips, runsNeeded } from "./detectable-effect.ts";
import { exactOutcome } from "../../../test/support/statistics/exact-outcome.ts";
import { fisherExact } from "./fisher.ts";
import { flakiness } from "./flakiness.ts";
import { holm } from "./holm.ts";
import type { Interval } from "./interval.ts";
import { mcNemarExact } from "./mcnemar.ts";
import { normalQuantile } from "./normal.ts";
import type { PValues } from "./p-values.ts";
import { passAtK, passHatK } from "./pass-at-k.ts";
import { pairedPermutation, twoSamplePermutation } from "./permutation.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { fewestRunsToPass } from "../../../test/support/statistics/fewest-runs.ts";
import { createGate } from "./sequential.ts";
import { wilson } from "./wilson.ts";

const page = readFileSync(new URL("../../../../../docs/reference/statistics.md", import.meta.url), "utf8");

const RULE = { at_least: 0.9, confidence: 0.95, max_runs: 300, sequential: true };
const seconds = describeValues([1.2, 0.9, 1.4, 1.1, 1.0, 3.8, 1.3, 1.1, 0.8, 1.2]);
const drop = (runs: number): number | undefined =>
  detectableDrop({ runs_before: runs, runs_after: runs, rate: 0.9 });

const EXAMPLES: Record<string, Record<string, string>> = {
  "Pass rate": {
    "`wilson(9, 10)`": range(wilson(9, 10)),
    "`wilson(10, 10)`": range(wilson(10, 10)),
    "`wilson(0, 0)`": range(wilson(0, 0)),
  },
  "Exact interval": {
    "`clopperPearsonLower(9, 10, 0.975)`": number(clopperPearsonLower(9, 10, 0.975)),
    "`clopperPearsonLower(29, 29)`": number(clopperPearsonLower(29, 29)),
  },
  "Several attempts": {
    "`passAtK(5, 3, 2)`": number(passAtK(5, 3, 2)),
    "`passHatK(5, 3, 2)`": number(passHatK(5, 3, 2)),
  },
  Flakiness: {
    "`flakiness(pass, pass, fail, pass)`": number(flakiness(["pass", "pass", "fail", "pass"])),
    "`flakiness(fail, fail, fail)`": number(flakiness(["fail", "fail", "fail"])),
  },
  Measurements: {
    "`mean`": number(seconds?.mean),
    "`deviation`": number(seconds?.deviation),
    "`p50`": number(seconds?.p50),
    "`p90`": number(seconds?.p90),
    "`interval`": range(seconds?.interval),
    "`median_interval`": range(seconds?.median_interval),
  },
  "The gate": {
    "`decide(35, 0)`": decided(35, 0),
    "`decide(0, 2)`": decided(0, 2),
    "`decide(70, 1)`": decided(70, 1),
    "`decide(19, 1)`": decided(19, 1),
    "`decide(96, 4)` after 100, not sequential": decided(96, 4, { max_runs: 100, sequential: false }),
    "`decide(95, 5)` after 100, not sequential": decided(95, 5, { max_runs: 100, sequential: false }),
  },
  "Comparing two groups of runs": {
    "`fisherExact` of 3 of 4 and 1 of 4": values(
      fisherExact({ passed: 3, total: 4 }, { passed: 1, total: 4 }),
    ),
    "`fisherExact` of 19 of 20 and 13 of 20": values(
      fisherExact({ passed: 19, total: 20 }, { passed: 13, total: 20 }),
    ),
  },
  "Comparing the same cases": {
    "`mcNemarExact(7, 1)`": values(mcNemarExact(7, 1)),
    "`mcNemarExact(5, 0)`": values(mcNemarExact(5, 0)),
  },
  "Comparing scores": {
    "`pairedPermutation(-0.2, -0.1, 0.05, -0.3, -0.15, 0)`": values(
      pairedPermutation([-0.2, -0.1, 0.05, -0.3, -0.15, 0]),
    ),
    "`twoSamplePermutation` of 0.9, 0.8, 0.95, 0.85 and 0.6, 0.7, 0.75, 0.82": values(
      twoSamplePermutation([0.9, 0.8, 0.95, 0.85], [0.6, 0.7, 0.75, 0.82]),
    ),
  },
  "Many comparisons at once": {
    "`holm(0.01, 0.04, 0.03, 0.005)`": holm([0.01, 0.04, 0.03, 0.005]).map(number).join(", "),
  },
  "What a comparison could have found": {
    "`detectableDrop` of 20 and 20 runs at 0.9": number(drop(20)),
    "`detectableDrop` of 100 and 100 runs at 0.9": number(drop(100)),
    "`detectableDrop` of 3 and 3 runs at 0.9": drop(3) === undefined ? "none" : "some",
    "`runsNeeded` for a drop of 0.1 from 0.9": `${runsNeeded({ rate: 0.9, drop: 0.1 })}`,
    "`runsNeeded` for a drop of 0.05 from 0.9": `${runsNeeded({ rate: 0.9, drop: 0.05 })}`,
    "`detectableFlips(30)`": `${detectableFlips(30)}`,
  },
};

/** A draw from each distribution by its name in the page, and its mean. */
const DISTRIBUTIONS: Record<string, { draw: (u: number) => number; mean: number }> = {
  normal: { draw: normalQuantile, mean: 0 },
  exponential: { draw: (u) => -Math.log(u), mean: 1 },
  lognormal: { draw: (u) => Math.exp(normalQuantile(u)), mean: Math.exp(0.5) },
};

describe("statistics.md", () => {
  it.each(Object.entries(EXAMPLES))(
    "computes the examples of %s, and no others are there",
    (heading, known) => {
      const documented = rows(section(page, heading)).filter((row) => row.length === 2);
      expect(Object.fromEntries(documented)).toEqual(known);
    },
  );

  it("has an example in every section that names a formula", () => {
    const sections = page.split(/^## /m).slice(1);
    expect(sections.map((text) => text.split("\n")[0])).toEqual(Object.keys(EXAMPLES));
  });

  it("knows the fewest runs that can pass", () => {
    const documented = rows(section(page, "The fewest runs that can pass"));
    expect(documented.length).toBeGreaterThan(5);
    for (const [atLeast, confidence, ...fewest] of documented) {
      const rule = { ...RULE, at_least: Number(atLeast), confidence: Number(confidence) };
      const computed = [false, true].map((sequential) => fewestRunsToPass({ ...rule, sequential }));
      expect(computed).toEqual(fewest.map(Number));
    }
  });

  it("says what to expect of a gate", () => {
    const documented = rows(section(page, "What to expect"));
    expect(documented.length).toBeGreaterThan(5);
    for (const [rate, ...figures] of documented) {
      const { pass, fail, runs } = exactOutcome(
        RULE.at_least,
        1 - RULE.confidence,
        Number(rate),
        RULE.max_runs,
      );
      const undecided = Math.max(0, 1 - pass - fail);
      expect([pass, fail, undecided].map(number).concat(`${Math.round(runs)}`)).toEqual(figures);
    }
  });

  const coverage = rows(section(page, "Measurements")).filter((row) => row.length === 3);
  it.each(coverage)("the interval of %s values, %s of them, holds the mean %s of the time", (...row) => {
    const [name = "", count, held] = row;
    const { draw, mean } = DISTRIBUTIONS[name] ?? expect.fail(`unknown: ${name}`);
    const random = createSeededRandom(17);
    const trials = 600;
    let hits = 0;
    for (let trial = 0; trial < trials; trial++) {
      const drawn = Array.from({ length: Number(count) }, () => draw(Math.max(1e-9, random.next())));
      const { low, high } = describeValues(drawn)?.interval ?? { low: NaN, high: NaN };
      if (low <= mean && mean <= high) hits++;
    }
    // The page has it from 6000 trials; this allows for three standard errors of 600.
    expect(Math.abs(hits / trials - Number(held))).toBeLessThan(0.04);
  });
});

function number(value: number | undefined): string {
  return value === undefined ? "none" : value.toFixed(3);
}

function range(interval: Interval | undefined): string {
  return interval === undefined ? "none" : `${number(interval.low)} to ${number(interval.high)}`;
}

function values({ two_sided, less, greater }: PValues): string {
  return `two_sided ${number(two_sided)}, less ${number(less)}, greater ${number(greater)}`;
}

function decided(passed: number, failed: number, other: Partial<typeof RULE> = {}): string {
  const { decision, interval } = createGate({ ...RULE, ...other }).decide(passed, failed);
  return `${decision}, ${range(interval)}`;
}
