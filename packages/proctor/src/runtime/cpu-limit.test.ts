import { expect, test } from "vitest";
import { TooSlowError, withinCpuTime } from "./cpu-limit.ts";
import { threadCpuMs } from "./thread-cpu.ts";

/** The thread stands still, as it does on a machine that is busy with others. */
function starve(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test("work within a limit of CPU time returns what it returns, even undefined", () => {
  const value = { a: 1 };
  expect(withinCpuTime("it", () => value)).toBe(value);
  expect(withinCpuTime("it", () => undefined)).toBeUndefined();
});

test("work within a limit of CPU time throws what it throws", () => {
  const error = new TypeError("wrong");
  expect(() =>
    withinCpuTime("it", () => {
      throw error;
    }),
  ).toThrow(error);
});

test.each([
  ["an expression", () => /^(a+)+$/.test(`${"a".repeat(60)}!`)],
  [
    "a loop",
    () => {
      for (;;);
    },
  ],
])("%s that never ends is stopped, and said to be too slow", (_, work: () => unknown) => {
  const before = threadCpuMs();
  expect(() => withinCpuTime("it", work, 50)).toThrow(TooSlowError);
  expect(() => withinCpuTime("it", work, 50)).toThrow("it is too slow: stopped after 0.05 s of CPU time");
  // Twice the limit, each measured twice, with at most one more try that got nearly all of it and another of twice the time.
  expect(threadCpuMs() - before).toBeLessThan(2 * 5 * 50 + 500);
});

test("work that gets no CPU is not stopped, however long it takes", () => {
  let starts = 0;
  const work = (): string => {
    starts += 1;
    starve(1000);
    return "done";
  };
  // Many ticks of the clock of a thread: a busy machine may give it one that it has not used.
  expect(withinCpuTime("it", work, 100)).toBe("done");
  expect(starts).toBeGreaterThan(1);
});

test("work whose thread was stopped for a while is done again, and not called too slow", () => {
  let starts = 0;
  const work = (): string => {
    starts += 1;
    if (starts === 1) starve(60_000);
    return "done";
  };
  // Next to nothing of two seconds: less than is believed of a thread that runs.
  expect(withinCpuTime("it", work, 2000)).toBe("done");
  expect(starts).toBe(2);
});

test("a limit inside another one interrupts only its own work", () => {
  const inner = (): string => {
    try {
      return withinCpuTime(
        "the inner",
        () => {
          for (;;);
        },
        30,
      );
    } catch (error) {
      return String(error);
    }
  };
  expect(withinCpuTime("the outer", inner, 2000)).toContain("the inner is too slow");
});

test("the CPU time of a thread grows with what it computes, and not while it stands still", () => {
  const before = threadCpuMs();
  starve(300);
  const idle = threadCpuMs() - before;
  while (threadCpuMs() - before < idle + 50) JSON.stringify([...Array(1000).keys()]);
  expect(idle).toBeLessThan(200);
});
