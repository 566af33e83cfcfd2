// Two stores on one database, as two processes have them.
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { createDatabase, emptyDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import {
  claimRequest,
  ended,
  logged,
  newEvent,
  newRun,
  readLog,
  startRun,
} from "../../../test/support/stores/fixtures.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { talkDraft } from "../../../test/support/talk-drafts.ts";
import { evaluationId, newEvaluation, TOTALS } from "../../../test/support/evaluations.ts";
import type { Evaluation } from "../../core/evaluation.ts";
import { ProctorError } from "../../core/errors.ts";
import type { EventDraft } from "../../core/event.ts";
import { applyEvent, type RunState } from "../../core/fold.ts";
import type { FeedEntry, Store } from "../../core/ports/store.ts";
import { modelCases } from "../cases/model.case.ts";
import { openPostgresStore } from "./open-store.ts";

describe.skipIf(await lacksPostgres("two stores on one PostgreSQL"))("two stores on one database", () => {
  let shared: Promise<string> | undefined;
  const stores: Store[] = [];

  async function openTwo(): Promise<[Store, Store, string]> {
    const url = await (shared ??= createDatabase());
    const [a, b] = await Promise.all([openPostgresStore({ url }), openPostgresStore({ url })]);
    stores.push(a, b);
    return [a, b, url];
  }

  let pairOf: [Store, Store] | undefined;
  function pair(): [Store, Store] {
    if (pairOf === undefined) throw new Error("no stores are open");
    return pairOf;
  }
  async function reopenPair(): Promise<Store> {
    const before = pairOf;
    const [a, b] = await openTwo();
    pairOf = [a, b];
    for (const store of before ?? []) await store.close();
    return inTurns(a, b);
  }

  beforeEach(async ({ task }) => {
    if (task.suite?.name === "used in turns") await reopenPair();
  });
  afterEach(async () => {
    pairOf = undefined;
    for (const store of stores.splice(0)) await store.close();
    if (shared) await emptyDatabase(await shared);
  });

  it("are migrated once, however many open an empty database at once", async () => {
    const url = await createDatabase();
    stores.push(
      ...(await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url, connections: 2 })))),
    );
    const rows = await query(url, "select version from proctor_migrations order by version");
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    const { run } = await stores[0]!.createRun(newRun());
    expect(await stores[3]!.readRun(run.id)).toEqual(run);
  });

  it("number the events of one run without gaps, though both append at once", async () => {
    const [a, b] = await openTwo();
    const id = await startRun(a);
    await Promise.all(
      [a, b].flatMap((store, who) =>
        Array.from({ length: 30 }, (_, index) => store.append(id, [logged(`${who}.${index}`), logged("x")])),
      ),
    );
    const log = await readLog(b, id);
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
    expect(log).toHaveLength(3 + 120);
    for (const who of [0, 1]) {
      const texts = log.flatMap(({ type, payload }) => (type === "log" ? [payload.text] : []));
      expect(texts.filter((text) => text.startsWith(`${who}.`))).toEqual(
        Array.from({ length: 30 }, (_, index) => `${who}.${index}`),
      );
    }
  });

  it("refuse the owner that lost its run, and take what the other decided on", async () => {
    const [a, b] = await openTwo();
    const { run } = await a.createRun(newRun());
    const [mine] = (await a.claimRuns(claimRequest({ worker: "a" }))).claimed;
    await a.append(run.id, [logged("mine")], { fence: mine?.fence ?? 0 });
    await b.append(run.id, [ended("failed")]);
    await expect(a.append(run.id, [logged("late")], { fence: mine?.fence ?? 0 })).rejects.toMatchObject({
      code: "ILLEGAL_TRANSITION",
    });
    expect(await a.readRun(run.id)).toMatchObject({ status: "failed" });
  });

  it("give each run to one of two that claim at once", async () => {
    const [a, b] = await openTwo();
    for (let index = 0; index < 40; index++) await a.createRun(newRun());
    const claims = await Promise.all(
      [a, b, a, b].map((store, index) =>
        store.claimRuns(claimRequest({ worker: `w${index}`, limit: 20, agentLimit: 100 })),
      ),
    );
    const ids = claims.flatMap(({ claimed }) => claimed.map(({ run }) => run.id));
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await a.claimRuns(claimRequest({ limit: 40, agentLimit: 100 }));
    expect(ids.length + rest.claimed.length).toBe(40);
  });

  it("tell each other of commits: which run, how far, and whether it ended", async () => {
    const [a, b] = await openTwo();
    const seen = new Map<string, { last: number; appended: number; ended: boolean }>();
    b.watch((id, last, appended, over) => {
      const known = seen.get(id);
      seen.set(id, { last, appended: (known?.appended ?? 0) + appended, ended: over });
    });
    const id = await startRun(a);
    await a.append(id, [logged("1"), logged("2")]);
    await a.append(id, [ended()]);
    await eventually(() => expect(seen.get(id)).toEqual({ last: 5, appended: 6, ended: true }));
    await a.deleteRun(id);
    await eventually(() => expect(seen.get(id)).toEqual({ last: 5, appended: 6, ended: true }));
  });

  it("find out about a commit that nobody announced", async () => {
    const [a, b, url] = await openTwo();
    const id = await startRun(a);
    const seen: [number, number][] = [];
    await eventually(async () => expect(await b.readEvents(id, -1, 10)).toHaveLength(3));
    b.watch((runId, last, appended) => runId === id && seen.push([last, appended]));
    // As a process does that dies between its commit and the announcement.
    await query(
      url,
      `with moved as (update runs set next_sequence = 5 where id = $1 returning id)
       insert into events (run_id, sequence, timestamp, type, payload, position)
       select id, 3, 0, 'log', '{}', null from moved union all
       select id, 4, 0, 'log', '{}', nextval('feed_positions') from moved`,
      [id],
    );
    await eventually(() => expect(seen.at(-1)).toEqual([4, 2]));
  });

  it("tell each other which evaluations changed", async () => {
    const [a, b, url] = await openTwo();
    const id = evaluationId(1);
    const told: string[] = [];
    const stop = b.evaluations.watch((changed) => told.push(changed));
    const { owner, skipped: _, ...given } = newEvaluation(1);
    const evaluation: Evaluation = {
      ...given,
      status: "running",
      started_at: new Date().toISOString(),
      ended_at: null,
      totals: TOTALS,
      stopped: null,
      exit_code: null,
      comparison: null,
      started_by: "operator",
      resumed: 0,
      alive_until: null,
    };
    await a.evaluations.write(id, () => ({ evaluation, owner, isNews: true }));
    await eventually(() => expect(told).toContain(id));
    told.length = 0;
    // As if the process had died before it could say so.
    await query(url, "update evaluations set position = nextval('feed_positions')");
    await eventually(() => expect(told).toContain(id));
    stop();
  });

  it("give a reader of the feed every event once, in the order of each log, while both write", async () => {
    const [a, b] = await openTwo();
    const ids = await Promise.all(Array.from({ length: 6 }, () => startRun(a)));
    let { last } = await b.feed(Infinity, 1);
    const seen: FeedEntry[] = [];
    let writing = true;
    const writers = ids.map(async (id, index) => {
      for (let round = 0; round < 20; round++) {
        const store = (round + index) % 2 === 0 ? a : b;
        await store.append(
          id,
          Array.from({ length: 1 + ((round * 7 + index) % 40) }, () => logged("x")),
        );
      }
    });
    const creators = [a, b].map(async (store) => {
      for (let index = 0; index < 10; index++) await store.createRun(newRun());
    });
    const done = Promise.all([...writers, ...creators]).finally(() => (writing = false));
    for (let more = true; more;) {
      more = writing;
      const page = await b.feed(last, 50);
      seen.push(...page.items);
      last = page.last;
      more ||= page.items.length > 0;
    }
    await done;
    for (const id of ids) {
      const sequences = seen
        .filter(({ record }) => record.run_id === id)
        .map(({ record }) => record.sequence);
      expect(sequences).toEqual((await readLog(a, id)).slice(3).map(({ sequence }) => sequence));
    }
    expect(seen.filter(({ record }) => record.type === "run.created")).toHaveLength(20);
  });

  describe("used in turns", () => modelCases(() => inTurns(...pair()), reopenPair));

  it("agree with the fold of every log, whatever both do at once", async () => {
    const [a, b] = await openTwo();
    await fc.assert(
      fc.asyncProperty(
        fc.array(wish, { maxLength: 20 }),
        fc.array(wish, { maxLength: 20 }),
        async (left, right) => {
          const { run } = await a.createRun(newRun());
          let made = 2;
          const work = async (store: Store, worker: string, wishes: readonly Wish[]) => {
            let fence: number | undefined;
            for (const one of wishes) {
              if (one === "claim") {
                const { claimed } = await store.claimRuns(claimRequest({ worker, only: [run.id] }));
                made += claimed.length;
                fence = claimed[0]?.fence ?? fence;
                continue;
              }
              const options = one.owned && fence !== undefined ? { fence } : {};
              const grown = await store.append(run.id, [newEvent(one.draft)], options).catch(refused);
              if (grown) made++;
            }
          };
          await Promise.all([work(a, "a", left), work(b, "b", right)]);
          const log = await readLog(b, run.id);
          expect(log.map(({ sequence }) => sequence)).toEqual(
            Array.from({ length: made }, (_, index) => index),
          );
          let state: RunState | null = null;
          for (const event of log) state = applyEvent(state, run.id, event, Date.parse(event.timestamp));
          for (const store of [a, b]) expect(await store.readRun(run.id)).toEqual(state?.run);
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  });

  it("know how many runs there are, whoever created and removed them", async () => {
    const [a, b] = await openTwo();
    const ids = await Promise.all([a, b, a, b, a].map((store) => startRun(store)));
    await a.append(ids[0] ?? "", [ended()]);
    await b.deleteRun(ids[0] ?? "");
    expect(await a.listPage({ page: 1, size: 3 })).toMatchObject({ total: 4 });
    expect((await b.listPage({ page: 2, size: 3 })).items).toHaveLength(1);
  });
});

type Wish = "claim" | { draft: EventDraft; owned: boolean };
const wish: fc.Arbitrary<Wish> = fc.oneof(
  fc.constant("claim" as const),
  fc.record({ draft: talkDraft.filter(({ type }) => type !== "run.started"), owned: fc.boolean() }),
);

function refused(error: unknown): undefined {
  if (ProctorError.is(error) && error.code !== "STORE_UNAVAILABLE") return undefined;
  throw error;
}

/** One store to whoever asks, of which each question goes to another of the two. */
function inTurns(a: Store, b: Store): Store {
  let turn = 0;
  return new Proxy(a, {
    get: (_, name) => Reflect.get(turn++ % 2 === 0 ? a : b, name) as unknown,
  });
}
