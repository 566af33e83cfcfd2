import { describe, expect, it } from "vitest";
import { BEST, pickOne } from "./pick.ts";
import type { Scored } from "./score.ts";

function scored(agent: string, score: number, pressure = 0): Scored {
  return {
    agent,
    score,
    pressure,
    parts: { success: 1, quality: 1, load: 1, latency: 1, cost: 1, health: 1 },
  };
}

/** Returns these numbers, one after the other. */
function sequence(...numbers: number[]): () => number {
  return () => numbers.shift() ?? 0;
}

describe("the choice among scored candidates", () => {
  it("is nobody where there is none, and the only one where there is one", () => {
    expect(pickOne([], Math.random)).toBeUndefined();
    expect(pickOne([scored("a", 0.1)], Math.random)).toMatchObject({
      chosen: { agent: "a" },
      reason: "it is the only one that can",
    });
  });

  it("is the best where nobody comes near it", () => {
    expect(pickOne([scored("a", 0.9, 1), scored("b", 0.8)], Math.random)).toMatchObject({
      chosen: { agent: "a" },
      reason: "it is the best with 0.9; the next has 0.8",
    });
  });

  it("is the less loaded of two that were drawn from the best few", () => {
    const near = [scored("a", 0.9, 0.5), scored("b", 0.89, 0.1), scored("c", 0.88, 0.3), scored("d", 0.5)];
    expect(pickOne(near, sequence(0, 0))).toMatchObject({
      chosen: { agent: "b" },
      reason: "it is less loaded than a; both were drawn from the 3 best",
    });
    expect(pickOne(near, sequence(0, 0.9))).toMatchObject({ chosen: { agent: "c" } });
    expect(pickOne(near, sequence(0.5, 0.9))).toMatchObject({ chosen: { agent: "b" } });
  });

  it("is the better one where both are as loaded", () => {
    expect(pickOne([scored("a", 0.9), scored("b", 0.89)], sequence(0.9, 0))).toMatchObject({
      chosen: { agent: "a" },
      reason: "it is no more loaded than b; both were drawn from the 2 best",
    });
  });

  it("draws from a few only, however many are equal", () => {
    const equal = Array.from({ length: 50 }, (_, number) => scored(`agent-${number}`, 1));
    for (let place = 0; place < 1; place += 0.01) {
      const number = Number(pickOne(equal, sequence(place, place))?.chosen.agent.slice(6));
      expect(number).toBeLessThan(BEST.atMost);
    }
  });
});
