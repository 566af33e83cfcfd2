import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import type { Candidate } from "../../core/ports/candidates.ts";
import type { MeasuredAnswers } from "../../core/registration.ts";
import { scoreCandidates, showScore, WEIGHTS, type Scored } from "./score.ts";

const UNKNOWN: MeasuredAnswers = {
  runs: 0,
  completed: 0,
  latency_ms: null,
  success_rate: null,
  cost_usd: null,
  judged: 0,
  quality: null,
};

type Change = Partial<Omit<Candidate, "measured">> & { measured?: Partial<MeasuredAnswers> };

function candidate({ measured, ...rest }: Change = {}): Candidate {
  return {
    agent: "a",
    state: "online",
    load: null,
    concurrency: null,
    cost: null,
    ...rest,
    measured: { ...UNKNOWN, ...measured },
  };
}

function score(changes: readonly Change[], inFlight = 0): Scored[] {
  return scoreCandidates(changes.map(candidate), () => inFlight);
}

function parts(name: keyof typeof WEIGHTS, ...changes: Change[]): number[] {
  return score(changes).map((scored) => scored.parts[name]);
}

describe("the score of a candidate", () => {
  it("is 1 for an idle agent of which nothing is known", () => {
    expect(score([{}]).map(showScore)).toEqual([
      {
        agent: "a",
        score: 1,
        parts: { success: 1, quality: 1, load: 1, latency: 1, cost: 1, health: 1 },
      },
    ]);
  });

  it("has weights that add up to one", () => {
    const sum = Object.values(WEIGHTS).reduce((total, weight) => total + weight, 0);
    expect(sum).toBeCloseTo(1);
  });

  it("has the success rate, with credit for an agent that had few runs", () => {
    const [none, once, often, good] = parts(
      "success",
      {},
      { measured: { runs: 1, success_rate: 0 } },
      { measured: { runs: 100, success_rate: 0 } },
      { measured: { runs: 100, success_rate: 1 } },
    );
    expect(none).toBe(1);
    expect(once).toBeCloseTo(2 / 3);
    expect(often).toBeCloseTo(2 / 22);
    expect(good).toBe(1);
  });

  it("has what tests found, with credit for an agent that had few of them", () => {
    const [none, once, often] = parts(
      "quality",
      {},
      { measured: { judged: 1, quality: 0 } },
      { measured: { judged: 20, quality: 0.5 } },
    );
    expect(none).toBe(1);
    expect(once).toBeCloseTo(2 / 3);
    expect(often).toBeCloseTo(12 / 22);
  });

  it("has the latency against the fastest, where a tenth of a second makes no difference", () => {
    const measured = (latency_ms: number): Change => ({ measured: { latency_ms } });
    expect(parts("latency", measured(1000), measured(2000), measured(4000), {})).toEqual([1, 0.5, 0.25, 1]);
    expect(parts("latency", measured(1), measured(90))).toEqual([1, 1]);
  });

  it("has what the capability says of time and money, until these are measured", () => {
    const hints: Change = { cost: { seconds: 4, usd: 0.04 } };
    const measured: Change = { ...hints, measured: { latency_ms: 1000, cost_usd: 0.01 } };
    expect(parts("latency", hints, measured)).toEqual([0.25, 1]);
    expect(parts("cost", hints, measured)).toEqual([0.25, 1]);
  });

  it("has the cost against the cheapest, where one that costs nothing is not infinitely better", () => {
    const measured = (cost_usd: number): Change => ({ measured: { cost_usd } });
    expect(parts("cost", measured(0), measured(0.0001), measured(0.0002))).toEqual([1, 1, 0.5]);
    expect(parts("cost", measured(Infinity), measured(1))).toEqual([0, 1]);
    expect(parts("cost", measured(Infinity))).toEqual([1]);
  });

  it("has the load that the agent reports, against its capacity", () => {
    const load = (active: number, capacity: number, queued = 0): Change => ({
      load: { active, capacity, queued },
    });
    expect(parts("load", load(0, 4), load(1, 4), load(4, 4), load(4, 4, 8))).toEqual([1, 0.75, 0, 0]);
    const [, , full, fuller] = score([load(0, 4), load(1, 4), load(4, 4), load(4, 4, 8)]);
    expect([full?.pressure, fuller?.pressure]).toEqual([1, 3]);
    expect(parts("load", load(0, 0))).toEqual([0]);
  });

  it("has the runs that the router gave to the agent, where it reports fewer", () => {
    const [reported, address, neither] = score(
      [{ load: { active: 1, capacity: 4 } }, { concurrency: 2 }, {}],
      2,
    );
    expect(reported?.parts.load).toBe(0.5);
    expect(address?.parts.load).toBe(0);
    expect(neither?.parts.load).toBe(0.75);
  });

  it("is lower for one that missed a beat, and a little lower for one that nobody heard of", () => {
    expect(parts("health", { state: "online" }, { state: "unknown" }, { state: "suspect" })).toEqual([
      1, 0.8, 0.3,
    ]);
  });

  it("is from 0 to 1 in all its parts, whatever agents say of themselves", () => {
    const amount = fc.option(fc.double({ noNaN: true, min: 0 }), { nil: null });
    const count = fc.nat(1e9);
    const figures = fc.record({
      runs: count,
      completed: count,
      latency_ms: amount,
      success_rate: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
      cost_usd: amount,
      judged: count,
      quality: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
    });
    const any = fc.record({
      measured: figures,
      load: fc.option(fc.record({ active: count, capacity: count, queued: count })),
    });
    const property = fc.property(fc.array(any, { maxLength: 5 }), count, (changes, inFlight) => {
      for (const scored of score(changes, inFlight)) {
        for (const value of [scored.score, ...Object.values(scored.parts)]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-9);
        }
      }
    });
    fc.assert(property, { numRuns: propertyRuns(500) });
  });
});
