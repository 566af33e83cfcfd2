import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { ProctorError } from "../core/errors.ts";
import { uuidV7 } from "../core/id.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import type { CommitListener, EventRecord } from "../core/ports/store.ts";
import { systemClock } from "../runtime/time/system-clock.ts";
import { createLogReader } from "./log-reader.ts";

const never = new AbortController().signal;

let test: TestHub;
let subscriptions: number;
let log: LogReader;

beforeEach(async () => {
  test = await openTestHub();
  subscriptions = 0;
  const watch = (listener: CommitListener): (() => void) => {
    subscriptions += 1;
    const unwatch = test.store.watch(listener);
    return () => {
      subscriptions -= 1;
      unwatch();
    };
  };
  log = createLogReader({ ...test.store, watch }, systemClock);
});

afterEach(() => test.close());

async function openRun(): Promise<string> {
  return (await test.hub.openClientRun({ task: { description: "read" } })).run.id;
}

function addStep(id: string): Promise<unknown> {
  return test.hub.tell(id, () => [
    { type: "step.added", payload: { step_id: uuidV7(), name: "", input: "more", additional_input: {} } },
  ]);
}

function complete(id: string): Promise<unknown> {
  return test.hub.tell(id, () => [{ type: "run.ended", payload: { status: "completed" } }]);
}

async function collect(pages: AsyncIterable<readonly EventRecord[]>): Promise<number[]> {
  const sequences: number[] = [];
  for await (const page of pages) sequences.push(...page.map(({ sequence }) => sequence));
  return sequences;
}

describe("the log reader", () => {
  it("gives each record once, whether it was there before or came later", async () => {
    const id = await openRun();
    const read = collect(log.records(id, -1, never));
    for (let count = 0; count < 100; count++) await addStep(id);
    await complete(id);
    const sequences = await read;
    expect(sequences).toEqual(sequences.map((_, index) => index));
    expect(sequences.length).toBeGreaterThan(100);
    expect(await collect(log.records(id, sequences.length - 3, never))).toEqual(sequences.slice(-2));
  });

  it("holds one subscription for all its readers, and none when nobody reads", async () => {
    const id = await openRun();
    const stop = new AbortController();
    const reads = [
      collect(log.records(id, -1, stop.signal)),
      collect(log.records(id, -1, stop.signal)),
      log.ended(id, stop.signal).catch(() => []),
    ];
    expect(subscriptions).toBe(1);
    stop.abort();
    await Promise.all(reads);
    expect(subscriptions).toBe(0);
  });

  it("resolves with a run that had ended before anybody waited", async () => {
    const id = await openRun();
    await complete(id);
    expect((await log.ended(id, never)).status).toBe("completed");
  });

  it("resolves with a run when it ends", async () => {
    const id = await openRun();
    const ended = log.ended(id, never);
    await addStep(id);
    await complete(id);
    expect((await ended).status).toBe("completed");
  });

  it("rejects those who wait for the end of a run that is removed", async () => {
    const id = await openRun();
    const looked = log.until(id, async () => ((await test.store.readRun(id)) ? undefined : "gone"), never);
    await test.hub.remove(id);
    expect(await looked).toBe("gone");
    await expect(log.ended(id, never)).rejects.toThrow(ProctorError);
    await expect(collect(log.records(id, -1, never))).rejects.toThrow(`there is no run ${id}`);
  });

  it("looks again after each commit until something is found", async () => {
    const id = await openRun();
    let looks = 0;
    const found = log.until(id, async () => (++looks === 3 ? "found" : undefined), never);
    await addStep(id);
    await addStep(id);
    expect(await found).toBe("found");
    expect(subscriptions).toBe(0);
  });

  it("stops looking with the signal's reason", async () => {
    const id = await openRun();
    const stop = new AbortController();
    const looked = log.until(id, async () => undefined, stop.signal);
    stop.abort(new Error("the client left"));
    await expect(looked).rejects.toThrow("the client left");
  });
});
