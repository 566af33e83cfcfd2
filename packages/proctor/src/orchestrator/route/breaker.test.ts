import { beforeEach, describe, expect, it } from "vitest";
import { BREAKER, createBreaker, type Breaker } from "./breaker.ts";

let nowMs: number;
let breaker: Breaker;

beforeEach(() => {
  nowMs = 1_000_000;
  breaker = createBreaker(() => nowMs);
});

function fail(times: number, agent = "a"): void {
  for (let time = 0; time < times; time++) {
    breaker.began(agent);
    breaker.ended(agent, false);
  }
}

describe("the circuit of an agent", () => {
  it("stays closed for four failures, and opens for ten seconds at the fifth", () => {
    fail(4);
    expect(breaker.refusal("a")).toBeUndefined();
    fail(1);
    expect(breaker.refusal("a")).toBe("its circuit is open for 10 s after 5 failures in a row");
    nowMs += 9_001;
    expect(breaker.refusal("a")).toBe("its circuit is open for 1 s after 5 failures in a row");
    expect(breaker.refusal("b")).toBeUndefined();
  });

  it("counts only failures in a row", () => {
    fail(4);
    breaker.ended("a", true);
    fail(4);
    expect(breaker.refusal("a")).toBeUndefined();
  });

  it("does not count ends that say nothing about the agent", () => {
    for (let time = 0; time < 10; time++) breaker.ended("a", null);
    fail(4);
    breaker.ended("a", null);
    expect(breaker.refusal("a")).toBeUndefined();
    fail(1);
    expect(breaker.refusal("a")).toMatch(/open/);
  });

  it("lets one run through when its time is over, and closes when that goes well", () => {
    fail(5);
    nowMs += 10_000;
    expect(breaker.refusal("a")).toBeUndefined();
    breaker.began("a");
    expect(breaker.refusal("a")).toMatch(/half open after 5 failures in a row, and a run is trying it/);
    breaker.ended("a", true);
    fail(4);
    expect(breaker.refusal("a")).toBeUndefined();
  });

  it("lets another run through when the first said nothing", () => {
    fail(5);
    nowMs += 10_000;
    breaker.began("a");
    breaker.ended("a", null);
    expect(breaker.refusal("a")).toBeUndefined();
  });

  it("opens twice as long each time the agent fails again, up to five minutes", () => {
    fail(5);
    const seconds: number[] = [];
    for (let round = 0; round < 7; round++) {
      const left = Number(/for (\d+) s/.exec(breaker.refusal("a") ?? "")?.[1]);
      seconds.push(left);
      nowMs += left * 1000;
      fail(1);
    }
    expect(seconds).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  it("does not open for longer because of runs that were under way when it opened", () => {
    for (let time = 0; time < 8; time++) breaker.began("a");
    for (let time = 0; time < 8; time++) breaker.ended("a", false);
    expect(breaker.refusal("a")).toBe("its circuit is open for 10 s after 8 failures in a row");
  });

  it("closes when a run that was under way goes well after all", () => {
    breaker.began("a");
    fail(5);
    breaker.ended("a", true);
    expect(breaker.refusal("a")).toBeUndefined();
  });

  it("is forgotten where more agents fail than are remembered, the oldest first", () => {
    for (const agent of ["first", "second"]) fail(BREAKER.failures, agent);
    for (let number = 1; number < BREAKER.circuits; number++) fail(1, `agent-${number}`);
    expect(breaker.refusal("first")).toBeUndefined();
    expect(breaker.refusal("second")).toMatch(/open/);
  });
});
