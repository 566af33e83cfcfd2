import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { ended, readLog, startRun } from "../../../test/support/stores/fixtures.ts";
import { LARGEST_SLICE } from "../sql/erase-events.ts";
import { migrate } from "../sql/migrate.ts";
import { noRunCache } from "../sql/run-cache.ts";
import { createSqlStore } from "../sql/sql-store.ts";
import { createWatchers } from "../sql/watchers.ts";
import { connectWriter } from "./connect.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openSqliteStore } from "./open-store.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { eventually } from "../../../test/support/eventually.ts";

let directory: string;
let file: string;
let store: Store | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proctor-erase-"));
  file = join(directory, "p.db");
});

afterEach(async () => {
  await store?.close();
  store = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** An ended run with so many events, and its id. */
async function fill(events: number, bytesEach: number): Promise<string> {
  const filled = await openSqliteStore({ file });
  const id = await startRun(filled);
  await filled.append(id, [ended()]);
  await filled.close();
  const connection = connectWriter(file, (error) => error);
  connection.exec(
    `with recursive n(i) as (select 4 union all select i + 1 from n where i < ${events - 1})
     insert into events select '${id}', i, 0, 'log', '"' || hex(zeroblob(${bytesEach / 2 - 1})) || '"', null, null from n`,
  );
  connection.exec(`update runs set next_sequence = ${events} where id = '${id}'`);
  connection.close();
  return id;
}

const eventsLeft = (connection: SqliteConnection): number =>
  connection.first<{ n: number }>({ sql: "select count(*) as n from events", parameters: [] })?.n ?? 0;

/** A store that notes how many rows each transaction removes. */
async function openCounted(): Promise<{ connection: SqliteConnection; removed: number[] }> {
  const removed: number[] = [];
  const connection = connectWriter(file, (error) => error);
  await migrate(connection, sqliteDialect, file);
  const counted: SqliteConnection = {
    ...connection,
    exec(sql) {
      if (sql.startsWith("BEGIN")) removed.push(0);
      connection.exec(sql);
    },
    run(query) {
      const rows = connection.run(query);
      if (query.sql.startsWith('delete from "events"')) removed[removed.length - 1]! += rows;
      return rows;
    },
  };
  const commits = createGroupCommit(counted, () => undefined);
  store = createSqlStore({
    cache: noRunCache,
    readCache: noRunCache,
    soleWriter: true,
    watchers: createWatchers(),
    backend: {
      dialect: sqliteDialect,
      read: connection,
      write: commits.write,
      async close() {
        await commits.close();
        connection.close();
      },
    },
  });
  return { connection, removed };
}

it("the SQLite store removes a long run at once for everybody, and its events in slices between other work", async () => {
  const id = await fill(200_000, 100);
  const { connection, removed } = await openCounted();
  const other = await startRun(store!);
  removed.length = 0;
  const total = (): number => removed.reduce((sum, rows) => sum + rows, 0);
  let turns = 0;
  const turnsAt: number[] = [];
  const erased = new Promise<void>((resolve) => {
    setImmediate(function turn() {
      turns++;
      while (turnsAt.length < removed.length) turnsAt.push(turns);
      if (total() < 200_000) setImmediate(turn);
      else resolve();
    });
  });
  await store!.deleteRun(id);
  expect(total()).toBeLessThan(100_000);
  expect(await store!.readRun(id)).toBeUndefined();
  expect(await readLog(store!, id)).toEqual([]);
  expect(await store!.listPage({ page: 1, size: 10 })).toMatchObject({ total: 1, items: [{ id: other }] });
  await erased;
  expect(eventsLeft(connection)).toBe(3);
  expect(Math.max(...removed)).toBeLessThanOrEqual(LARGEST_SLICE.rows);
  expect(removed.length).toBeGreaterThanOrEqual(200);
  // Every transaction had a turn of the loop to itself: whatever else came was served in between.
  expect(new Set(turnsAt).size).toBe(turnsAt.length);
}, 60_000);

it("the SQLite store counts bytes as well, so that a few large events are a slice", async () => {
  const id = await fill(40, 400_000);
  const { connection, removed } = await openCounted();
  await store!.deleteRun(id);
  await eventually(() => expect(eventsLeft(connection)).toBe(0));
  // The first four events are small.
  expect(Math.max(...removed)).toBeLessThanOrEqual(4 + 2);
}, 60_000);

it("the SQLite store goes on where a process was killed", async () => {
  const id = await fill(50_000, 100);
  await openCounted();
  await store!.deleteRun(id);
  // What a killed process leaves on disk at this moment.
  const copy = join(directory, "copy.db");
  for (const part of ["", "-wal"]) copyFileSync(`${file}${part}`, `${copy}${part}`);
  await store!.close();
  store = await openSqliteStore({ file: copy });
  const left = connectWriter(copy, (error) => error);
  expect(eventsLeft(left)).toBeGreaterThan(0);
  expect(await readLog(store, id)).toEqual([]);
  await eventually(() => expect(eventsLeft(left)).toBe(0));
  left.close();
}, 60_000);
