// Appends to a store on PostgreSQL by sixteen writers, against the barest statement that does the same on the same server: one insert of
// all events, if the run is still at its sequence and has its owner. Also, how soon a reader of another store has them.
import { Pool } from "pg";
import type { NewEvent, Store } from "../packages/proctor/src/core/ports/store.ts";
import { openPostgresStore } from "../packages/proctor/src/stores/postgres/open-store.ts";
import { startPostgres } from "../packages/proctor/test/support/postgres-server.ts";
import { query } from "../packages/proctor/test/support/postgres.ts";
import { logged, startRun } from "../packages/proctor/test/support/stores/fixtures.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";

const WRITERS = 16;
const SINGLE = { rounds: 100, batch: 1 };
const BATCHED = { rounds: 60, batch: 64 };
const READS = 200;
const TEXT = "x".repeat(180);
const EVENT: NewEvent = logged(TEXT);

const BARE = `with moved as (
  update bare_runs set next_sequence = next_sequence + $3 where id = $1 and next_sequence = $2 and fence = 1 returning id
) insert into bare_events (run_id, sequence, timestamp, type, payload)
select id, $2 + n - 1, t, 'log', p from moved, unnest($4::bigint[], $5::text[]) with ordinality as e(t, p, n)`;

interface Shape {
  rounds: number;
  batch: number;
}

export async function bench(): Promise<Result[]> {
  const server = await startPostgres({ durable: true });
  try {
    const url = server.url("bench");
    await query(server.url("postgres"), "create database bench");
    return await measure(url);
  } finally {
    await server.stop();
  }
}

async function measure(url: string): Promise<Result[]> {
  const [store, other] = [await openPostgresStore({ url }), await openPostgresStore({ url })];
  const pool = new Pool({ connectionString: url, max: WRITERS });
  try {
    await openBare(pool);
    const runs = await Promise.all(Array.from({ length: WRITERS }, () => startRun(store)));
    const compare = (shape: Shape) =>
      inTurns(
        5,
        () => secondsOf(() => appendBare(pool, shape)),
        () => secondsOf(() => append(store, runs, shape)),
      );
    const single = await compare(SINGLE);
    const batched = await compare(BATCHED);
    const events = ({ rounds, batch }: Shape): number => WRITERS * rounds * batch;
    const delays = await measureDelays(store, other, runs[0] ?? "");
    return [
      {
        name: "postgres-append",
        what: "durable events per second, 16 writers, one at a time / one bare statement each",
        value: single.bare / single.ours,
        bound: { atLeast: 0.6 },
        unit: "ratio",
        details: { "bare/s": events(SINGLE) / single.bare, "ours/s": events(SINGLE) / single.ours },
      },
      {
        name: "postgres-append",
        what: "durable events per second, 16 writers, 64 at a time",
        value: events(BATCHED) / batched.ours,
        bound: { atLeast: 20_000 },
        unit: "/s",
        details: { "bare/s": events(BATCHED) / batched.bare, ratio: batched.bare / batched.ours },
      },
      {
        name: "postgres-append",
        what: "from an append until its event is read from another store, median",
        value: delays[READS / 2] ?? 0,
        bound: { atMost: 20 },
        unit: "ms",
        details: { "p95 ms": delays[Math.floor(READS * 0.95)] ?? 0 },
      },
    ];
  } finally {
    await Promise.all([store.close(), other.close(), pool.end()]);
  }
}

async function openBare(pool: Pool): Promise<void> {
  await pool.query(
    "create table bare_runs (id text primary key, next_sequence bigint not null, fence bigint not null)",
  );
  await pool.query(
    "create table bare_events (run_id text, sequence bigint, timestamp bigint, type text, payload text, primary key (run_id, sequence))",
  );
  for (let writer = 0; writer < WRITERS; writer++) {
    await pool.query("insert into bare_runs values ($1, 0, 1)", [`bare-${writer}`]);
  }
}

/** Next sequence number of each bare run. */
const next = Array.from({ length: WRITERS }, () => 0);

async function appendBare(pool: Pool, { rounds, batch }: Shape): Promise<void> {
  await Promise.all(
    next.map(async (_, writer) => {
      const times = Array.from({ length: batch }, () => EVENT.timestamp);
      const texts = Array.from({ length: batch }, () => EVENT.payload);
      for (let round = 0; round < rounds; round++) {
        const first = next[writer] ?? 0;
        const values = [`bare-${writer}`, first, batch, times, texts];
        const { rowCount } = await pool.query({ name: "bare", text: BARE, values });
        if (rowCount !== batch) throw new Error("a bare run was moved by somebody else");
        next[writer] = first + batch;
      }
    }),
  );
}

async function append(store: Store, runs: readonly string[], { rounds, batch }: Shape): Promise<void> {
  const events = Array.from({ length: batch }, () => EVENT);
  await Promise.all(
    runs.map(async (id) => {
      for (let round = 0; round < rounds; round++) await store.append(id, events);
    }),
  );
}

/** Resolves with the milliseconds from each append until its event was read from the other store, sorted. */
async function measureDelays(store: Store, other: Store, id: string): Promise<number[]> {
  const delays: number[] = [];
  let heard = (_last: number): void => undefined;
  const stop = other.watch((runId, last) => runId === id && heard(last));
  for (let index = 0; index < READS; index++) {
    const startedAt = performance.now();
    const read = new Promise<void>((resolve, reject) => {
      heard = (last) => void other.readEvents(id, last - 1, 1).then(() => resolve(), reject);
    });
    await store.append(id, [EVENT]);
    await read;
    delays.push(performance.now() - startedAt);
  }
  stop();
  return delays.toSorted((a, b) => a - b);
}
