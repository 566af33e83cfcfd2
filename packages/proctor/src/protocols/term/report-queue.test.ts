import { describe, expect, it } from "vitest";
import { createReportQueue } from "./report-queue.ts";

describe("a queue of reports", () => {
  it("gives what there is, in order, then what comes, then the end", async () => {
    const queue = createReportQueue();
    queue.violation({ rule: "term.json", message: "a" });
    queue.log("stderr", "one");
    queue.log("stderr", "two");
    queue.log("stdout", "three");
    const first = await queue.take();
    expect(first).toMatchObject([
      { event: { type: "violation" } },
      { event: { type: "log", payload: { stream: "stderr", text: "one\ntwo" } } },
      { event: { type: "log", payload: { stream: "stdout", text: "three" } } },
    ]);
    const next = queue.take();
    queue.log("stdout", "four");
    queue.log("stdout", "five");
    expect(await next).toMatchObject([{ event: { payload: { text: "four\nfive" } } }]);
    const last = queue.take();
    queue.end();
    expect(await last).toBeUndefined();
  });

  it("does not change what was taken", async () => {
    const queue = createReportQueue();
    queue.log("stderr", "one");
    const taken = await queue.take();
    queue.log("stderr", "two");
    expect(taken).toMatchObject([{ event: { payload: { text: "one" } } }]);
    expect(await queue.take()).toMatchObject([{ event: { payload: { text: "two" } } }]);
  });

  it("has its producers wait while too much is waiting", async () => {
    const queue = createReportQueue();
    expect(queue.room()).toBeUndefined();
    for (let index = 0; index < 40; index++) queue.log("stderr", "x".repeat(64 * 1024));
    const room = queue.room();
    expect(room).toBeInstanceOf(Promise);
    await queue.take();
    await room;
    expect(queue.room()).toBeUndefined();
  });
});
