// Many scripts at once, and scripts whose callers leave.
import { afterAll, describe, expect, it } from "vitest";
import { MB, PLENTY_MS, openTestSandbox } from "../../../test/support/sandbox.ts";
import { createSandboxPool } from "./sandbox-pool.ts";
import type { SandboxAnswer, SandboxJob } from "./sandbox-worker.ts";

const pool = openTestSandbox();
const { expectUnharmed, output } = pool;
const { signal } = new AbortController();
afterAll(() => pool.close());

describe("the pool of sandboxes", () => {
  it("runs scripts beside one that uses all of its time", async () => {
    const leaving = new AbortController();
    const source = "function run() { while (true) {} }";
    const slow = pool.run({ source, input: "0", memoryBytes: MB, outputBytes: 1 }, PLENTY_MS, leaving.signal);
    const order: string[] = [];
    const over = slow.catch(() => undefined).then(() => order.push("slow"));
    await Promise.all(
      Array.from({ length: 5 }, () => output("function run() { return 1 }").then(() => order.push("fast"))),
    );
    leaving.abort(new Error("gone"));
    await over;
    expect(order).toEqual([...Array<string>(5).fill("fast"), "slow"]);
  });

  it("runs many more scripts at once than it has threads, and mixes none up", async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((index) => output("function run(n) { return n * 2 }", index)),
    );
    expect(answers).toEqual(numbers.map((index) => index * 2));
  });

  it("stops a script when its caller leaves, and one that has not begun", async () => {
    const leaving = new AbortController();
    const job: SandboxJob = {
      source: "function run() { while (true) {} }",
      input: "0",
      memoryBytes: MB,
      outputBytes: 1,
    };
    const running: Promise<SandboxAnswer>[] = [];
    for (let index = 0; index < 40; index++) running.push(pool.run(job, PLENTY_MS, leaving.signal));
    leaving.abort(new Error("gone"));
    const ends = await Promise.allSettled(running);
    expect(ends.every((end) => end.status === "rejected" && String(end.reason) === "Error: gone")).toBe(true);
    await expectUnharmed();
  });

  it("takes no script after it was closed, and ends those that run", async () => {
    const closing = createSandboxPool();
    const job: SandboxJob = {
      source: "function run() { while (true) {} }",
      input: "0",
      memoryBytes: MB,
      outputBytes: 1,
    };
    const running = closing.run(job, PLENTY_MS, signal);
    await closing.close();
    await expect(running).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
    await expect(closing.run(job, PLENTY_MS, signal)).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  });
});
