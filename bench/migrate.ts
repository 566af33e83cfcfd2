// `proctor migrate` in both directions, with every log compared by its checksum, against reading and inserting the bare rows of events in
// pages of the same size, with no index but the key and without a comparison. 50,000 events, or as many as `--events=1000000` says.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { moveDatabase } from "../packages/proctor/src/stores/moving/move-database.ts";
import { readTable, type MovingDatabase } from "../packages/proctor/src/stores/moving/moving-database.ts";
import { openPostgres } from "../packages/proctor/src/stores/moving/open-postgres.ts";
import { openSqlite } from "../packages/proctor/src/stores/moving/open-sqlite.ts";
import { openSqliteStore } from "../packages/proctor/src/stores/sqlite/open-store.ts";
import { startPostgres } from "../packages/proctor/test/support/postgres-server.ts";
import { query } from "../packages/proctor/test/support/postgres.ts";
import { ended, logged, startRun } from "../packages/proctor/test/support/stores/fixtures.ts";
import { median, secondsOf, type Result } from "./measure.ts";

const EVENTS = Number(process.argv.find((word) => word.startsWith("--events="))?.slice(9) ?? 50_000);
const ROUNDS = EVENTS > 100_000 ? 1 : 3;
/** Number of logged events of one run, which also has events for its creation, queueing, start and end. */
const LOGGED = 96;
const RUNS = Math.ceil(EVENTS / (LOGGED + 4));
const AT_ONCE = 64;
const TEXT = "x".repeat(180);
const COLUMNS = ["run_id", "sequence", "timestamp", "type", "payload", "origin", "position"];
const BARE = `create table bare_events (run_id text not null, sequence bigint not null, timestamp bigint not null,
  type text not null, payload text not null, origin text, position bigint, primary key (run_id, sequence))`;

type Direction = "there" | "back";

export async function bench(): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-migrate-"));
  const server = await startPostgres({ durable: true });
  let count = 0;
  const newPostgres = async (): Promise<MovingDatabase> => {
    const name = `migrate_${count++}`;
    await query(server.url("postgres"), `create database ${name}`);
    return openPostgres(server.url(name));
  };
  const newSqlite = (): Promise<MovingDatabase> => openSqlite(join(folder, `${count++}.db`));
  try {
    const seconds = {
      there: { ours: [] as number[], bare: [] as number[] },
      back: { ours: [] as number[], bare: [] as number[] },
    };
    const file = join(folder, "source.db");
    await fill(file);
    const source = await openSqlite(file);
    for (let round = 0; round < ROUNDS; round++) {
      const [middle, bareMiddle] = [await newPostgres(), await newPostgres()];
      const [end, bareEnd] = [await newSqlite(), await newSqlite()];
      await bareMiddle.all(BARE);
      createTable(bareEnd.where);
      seconds.there.bare.push(await secondsOf(() => copyBare(source, bareMiddle)));
      const sums: string[] = [];
      for (const [direction, from, to] of [
        ["there", source, middle],
        ["back", middle, end],
      ] as const)
        seconds[direction].ours.push(
          await secondsOf(async () => void sums.push((await moveDatabase(from, to, {})).checksum)),
        );
      if (sums[0] !== sums[1]) throw new Error("what came back is not what went there");
      seconds.back.bare.push(await secondsOf(() => copyBare(middle, bareEnd)));
      for (const database of [middle, bareMiddle, end, bareEnd]) await database.close();
    }
    await source.close();
    return (["there", "back"] as const).map((direction) => result(direction, seconds[direction]));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function result(direction: Direction, seconds: { ours: number[]; bare: number[] }): Result {
  const [ours, bare] = [median(seconds.ours), median(seconds.bare)];
  const way = direction === "there" ? "SQLite to PostgreSQL" : "PostgreSQL to SQLite";
  return {
    name: "migrate",
    what: `a move from ${way} with every log compared / a bare copy of its rows`,
    value: ours / bare,
    bound: { atMost: 3.5 },
    unit: "ratio",
    details: { events: EVENTS, "ours s": ours, "bare s": bare, "events/s": EVENTS / ours },
  };
}

async function fill(file: string): Promise<void> {
  const store = await openSqliteStore({ file });
  const events = [...Array.from({ length: LOGGED }, () => logged(TEXT)), ended()];
  let left = RUNS;
  const writer = async (): Promise<void> => {
    while (left-- > 0) await store.append(await startRun(store), events);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  await store.close();
}

async function copyBare(from: MovingDatabase, to: MovingDatabase): Promise<void> {
  for await (const rows of readTable(from, "events", ["run_id", "sequence"]))
    await to.insert("bare_events", COLUMNS, rows, "{}");
}

function createTable(file: string): void {
  const database = new Database(file);
  database.exec(BARE);
  database.close();
}
