import { describe, expect, it } from "vitest";
import { createExpectedJobs } from "./expected-jobs.ts";

describe("the jobs that a process expects", () => {
  it("may be in any queue that was never asked", () => {
    expect(createExpectedJobs().mayHave("runs")).toBe(true);
  });

  it("are in no queue that was found empty, until one is announced there or anywhere", () => {
    const expected = createExpectedJobs();
    const findEmpty = (): void => {
      for (const queue of ["runs", "runs/gpu"]) expected.ask(queue)();
    };
    const found = (): boolean[] => ["runs", "runs/gpu"].map(expected.mayHave);
    findEmpty();
    expect(found()).toEqual([false, false]);
    expected.expect(["runs/gpu"]);
    expect(found()).toEqual([false, true]);
    findEmpty();
    expected.expect();
    expect(found()).toEqual([true, true]);
  });

  it("are still expected when they were announced while the queue was being asked", () => {
    const expected = createExpectedJobs();
    const noteEmpty = expected.ask("runs");
    expected.expect(["runs"]);
    noteEmpty();
    expect(expected.mayHave("runs")).toBe(true);
  });
});
