// The promise of a feed, whatever comes between: each subscriber gets every event after the one it has seen, once and in order.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../../core/event.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import type { CommitListener } from "../../../../core/ports/store.ts";
import type { Frame } from "./feed.ts";
import { createFeeds } from "./feeds.ts";
import type { Outbox } from "./outbox.ts";
import { createSubscription, type Subscription } from "./subscription.ts";
import { propertyRuns } from "../../../../../test/support/property-runs.ts";

const TASK = "01900000-0000-7000-8000-000000000000";

/** A log in memory; when its pages arrive and its commits are noticed is up to the test. */
function createLog(scheduler: fc.Scheduler) {
  const events: RunEvent[] = [];
  const listeners = new Set<CommitListener>();
  let noticed = Promise.resolve();
  const append = (type: RunEvent["type"], payload: object): void => {
    const sequence = events.length;
    const event = { run_id: TASK, sequence, timestamp: "2024-01-15T10:30:00.000Z", type, payload };
    // The caller gives payloads of their types.
    events.push(event as RunEvent);
  };
  const created = {
    agent: "client:",
    task: { description: "x" },
    constraints: {},
    context: {},
    metadata: {},
  };
  append("run.created", { ...created, retry: null, attempt: 1, retry_of: null, trace_id: "0" });
  append("run.started", { worker: "client" });
  return {
    /** The last `seq`: every event of this log makes one, but the silent ones. */
    lastSeq: () => events.filter(({ type }) => type !== "process.exited").length - 1,
    commit(count: number, silent: boolean): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        if (silent) append("process.exited", { code: 0, signal: null });
        else append("log", { stream: "stdout", text: `line ${events.length}` });
      }
      const last = events.length - 1;
      // Late, but in their order, as a store does.
      noticed = noticed
        .then(() => scheduler.schedule(Promise.resolve()))
        .then(() => {
          for (const listener of listeners) listener(TASK, last, count, false, true);
        });
      return noticed;
    },
    log: {
      watch(listener: CommitListener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    watching: () => listeners.size,
    // Only what feeds use.
    hub: {
      events: (_id: string, { after = -1, limit = 100 }) =>
        scheduler.schedule(Promise.resolve()).then(() => events.slice(after + 1, after + 1 + limit)),
    } as Pick<Hub, "events"> as Hub,
  };
}

function collect(): { outbox: Outbox; seqs: number[] } {
  const seqs: number[] = [];
  const outbox: Outbox = {
    post: (text) => void seqs.push((JSON.parse(text) as Frame).seq),
    room: () => Promise.resolve(),
    close: () => undefined,
  };
  return { outbox, seqs };
}

/** Until nobody waits for a page or a notice any more. */
async function idle(scheduler: fc.Scheduler): Promise<void> {
  do {
    await scheduler.waitIdle();
    await new Promise((resolve) => setImmediate(resolve));
  } while (scheduler.count() > 0);
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + 1 + index);

const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("commit" as const),
      count: fc.integer({ min: 1, max: 200 }),
      silent: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("subscribe" as const),
      back: fc.option(fc.integer({ min: 0, max: 900 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("all" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const) }) },
);

describe("feeds of /ws", () => {
  it("send every subscriber each event once and in order, however reads and notices interleave", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(act, { maxLength: 12 }), async (scheduler, acts) => {
        const log = createLog(scheduler);
        const feeds = createFeeds({ ...log, report: (problem) => expect.fail(String(problem)) });
        const checks: (() => void)[] = [];
        const held: Subscription[] = [];
        const leave: (() => void)[] = [];
        const commits: Promise<void>[] = [];

        const subscribe = async (back: number | null): Promise<void> => {
          const opened = await feeds.open(TASK);
          const { outbox, seqs } = collect();
          const { seq } = opened.feed.position();
          const since = back === null ? undefined : Math.max(-1, seq - back);
          const onFailure = (problem: unknown): void => expect.fail(String(problem));
          held.push(
            createSubscription({
              held: opened,
              hub: log.hub,
              since,
              outbox,
              onFailure,
              confirm: () => undefined,
            }),
          );
          checks.push(() => expect(seqs).toEqual(range(since ?? seq, log.lastSeq())));
        };

        const subscribing: Promise<void>[] = [];
        for (const each of acts) {
          if (each.kind === "commit") commits.push(log.commit(each.count, each.silent));
          else if (each.kind === "leave") for (const quit of leave) quit();
          else if (each.kind === "subscribe") subscribing.push(subscribe(each.back));
          else {
            // Everything committed so far has been noticed, so that what counts as new is certain.
            await scheduler.waitFor(Promise.all(commits));
            const before = log.lastSeq();
            const { outbox, seqs } = collect();
            let until: number | undefined;
            const quit = feeds.joinAll(({ text }) => outbox.post(text));
            leave.push(() => {
              until ??= seqs.at(-1) ?? before;
              quit();
            });
            checks.push(() => {
              // Events that were committed and not yet read may come as well, never twice and never with a gap.
              const from = (seqs[0] ?? before + 1) - 1;
              expect(from).toBeLessThanOrEqual(before);
              expect(seqs).toEqual(range(from, until ?? log.lastSeq()));
            });
          }
        }
        await scheduler.waitFor(Promise.all([...subscribing, ...commits]));
        await idle(scheduler);
        for (const check of checks) check();
        for (const subscription of held) subscription.close();
        for (const each of leave) each();
        await idle(scheduler);
        expect({ feeds: feeds.size(), watching: log.watching() }).toEqual({ feeds: 0, watching: 0 });
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
