import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { linkProgram } from "../../../test/support/bundle-program.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { createDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import {
  artifactAdded,
  claimRequest,
  ended,
  logged,
  newEvent,
  newRun,
  startRun,
} from "../../../test/support/stores/fixtures.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openWorkHub } from "../../../test/support/work-hub.ts";
import { openFileBlobs } from "../blobs/file-blobs.ts";
import { openPostgresStore } from "../postgres/open-store.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import { logChecksums, tableChecksums } from "./checksums.ts";
import { copyBlobs } from "./copy-blobs.ts";
import { moveDatabase } from "./move-database.ts";
import type { MovingDatabase, Row } from "./moving-database.ts";
import { openPostgres } from "./open-postgres.ts";
import { openSqlite } from "./open-sqlite.ts";
import { MOVED, NOT_MOVED } from "./tables.ts";

const folder = temporaryFolder("moving");
let count = 0;
const newFile = (): string => join(folder, `${count++}.db`);

/** Rows of every table that is moved: real runs, and a few rows with odd texts in whatever tables there are. */
async function fill(file: string): Promise<MovingDatabase> {
  const store = await openSqliteStore({ file });
  for (let run = 0; run < 3; run++) {
    const id = await startRun(store);
    await store.append(id, [
      logged("x".repeat(200_000)),
      logged("é💥\u0000'\"\\"),
      artifactAdded("a", "b".repeat(64)),
    ]);
    await store.append(id, [ended()]);
  }
  await store.createRun(newRun({ id: "queued" }));
  await store.facts.settle("database_id", "the source");
  await store.close();
  const database = await openSqlite(file);
  for (const { name } of MOVED) {
    const columns = await database.all("select name, type from pragma_table_info(?)", name);
    const rows = Array.from({ length: 5 }, (_, at) => oddRow(columns, at));
    await database.insert(
      name,
      columns.map((column) => String(column["name"])),
      rows,
      "{}",
    );
  }
  await database.all("delete from hub_facts where name = 'moving' returning name");
  return database;
}

function oddRow(columns: readonly Row[], at: number): Row {
  const value = (name: string, type: string): string | number => {
    if (/int/i.test(type)) return 1000 + at;
    if (/double/i.test(type)) return at / 8;
    return name === "worker" || name === "status"
      ? "completed"
      : `${name} ${at} é💥'"\\ ${"Zz-aA_".slice(at)}`;
  };
  return Object.fromEntries(
    columns.map(({ name, type }) => [String(name), value(String(name), String(type))]),
  );
}

async function checksums(database: MovingDatabase): Promise<unknown> {
  const logs: Record<string, string> = {};
  await logChecksums(
    database,
    (id, sum) => (logs[id] = sum),
    () => undefined,
  );
  return { logs, tables: Object.fromEntries(await tableChecksums(database)) };
}

it("moving says of every table whether it is moved", async () => {
  const database = await openSqlite(newFile());
  const tables = await database.tables();
  await database.close();
  expect([...MOVED.map(({ name }) => name), ...Object.keys(NOT_MOVED)].toSorted()).toEqual(tables.toSorted());
});

describe.skipIf(await lacksPostgres("moving between databases"))("moving a database", () => {
  it("to PostgreSQL and back again gives an equal one, which goes on counting", async () => {
    const url = await createDatabase();
    const source = await fill(newFile());
    const before = await checksums(source);
    const middle = await openPostgres(url);
    const there = await moveDatabase(source, middle, { pageRows: 3 });
    expect(there).toMatchObject({ continued: false, logs: 4 + 5 });
    expect(there.rows["runs"]).toBe(4 + 5);
    expect(await checksums(middle)).toEqual(before);

    const back = await openSqlite(newFile());
    expect(await moveDatabase(middle, back, {})).toMatchObject({ checksum: there.checksum });
    expect(await checksums(back)).toEqual(before);
    for (const database of [source, middle, back]) await database.close();

    const store = await openPostgresStore({ url });
    try {
      await store.createRun(newRun({ id: "next" }));
      const { items } = await store.listRuns({ limit: 1 });
      expect(items[0]?.id).toBe("next");
      expect((await store.listPage({ page: 1, size: 10 })).total).toBe(10);
      const { last } = await store.feed(Infinity, 1);
      expect(last).toBeGreaterThan(1004);
    } finally {
      await store.close();
    }
  });

  it("goes on after it was killed, and ends as if nothing had happened", async () => {
    const url = await createDatabase();
    const file = newFile();
    const source = await fill(file);
    const before = await checksums(source);
    await source.close();
    const slow = new URL("../../../test/support/stores/move-slowly.ts", import.meta.url);
    const mover = spawn(process.execPath, [await linkProgram(fileURLToPath(slow)), file, url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(mover, "exit");
    for await (const line of createInterface({ input: mover.stdout }))
      if (line === "events 6") mover.kill("SIGKILL");
    await exited;
    const target = await openPostgres(url);
    const again = await openSqlite(file);
    const other = await openSqlite(newFile());
    await expect(moveDatabase(other, target, {})).rejects.toThrow("holds a part of another database");
    expect(await moveDatabase(again, target, {})).toMatchObject({ continued: true });
    expect(await checksums(target)).toEqual(before);
    for (const database of [again, target, other]) await database.close();
  });

  it("is refused while something is in flight, and into what is not empty", async () => {
    const file = newFile();
    const store = await openSqliteStore({ file });
    const id = newRun().id;
    await store.createRun(newRun({ id }));
    await store.claimRuns(claimRequest());
    await store.close();
    const [source, target] = [await openSqlite(file), await openPostgres(await createDatabase())];
    await expect(moveDatabase(source, target, {})).rejects.toMatchObject({
      code: "ILLEGAL_TRANSITION",
      message: expect.stringContaining(`run ${id} in`),
    });
    await source.all("update runs set worker = null where worker is not null returning id");
    await target.insert(
      "agents",
      ["name", "document", "created_at"],
      [{ name: "a", document: "{}", created_at: 1 }],
      "{}",
    );
    await target.all("delete from hub_facts where name = 'moving'");
    await expect(moveDatabase(source, target, {})).rejects.toThrow("is not empty: it has rows in agents");
    for (const database of [source, target]) await database.close();
  });

  it("is refused while another process is connected to PostgreSQL, on either side", async () => {
    const url = await createDatabase();
    const other = await openPostgresStore({ url });
    const [sqlite, postgres] = [await openSqlite(newFile()), await openPostgres(url)];
    for (const [source, target] of [
      [sqlite, postgres],
      [postgres, sqlite],
    ] as const)
      await expect(moveDatabase(source, target, { othersLeaveMs: 0 })).rejects.toMatchObject({
        code: "ILLEGAL_TRANSITION",
        message: expect.stringContaining("Stop all hubs, workers and commands"),
      });
    await other.close();
    expect(await moveDatabase(postgres, sqlite, {})).toMatchObject({ continued: false });
    for (const database of [sqlite, postgres]) await database.close();
  });

  it("goes on with what is beside the tables when it was interrupted there", async () => {
    const [source, target] = [await fill(newFile()), await openPostgres(await createDatabase())];
    const bringRest = (): Promise<void> => Promise.reject(new Error("the bucket is away"));
    await expect(moveDatabase(source, target, { bringRest })).rejects.toThrow("the bucket is away");
    let brought = 0;
    const again = await moveDatabase(source, target, {
      bringRest: () => Promise.resolve(void (brought += 1)),
    });
    expect(again).toMatchObject({ continued: true });
    expect(brought).toBe(1);
    expect(await target.all("select value from hub_facts where name = 'moving'")).toEqual([]);
    for (const database of [source, target]) await database.close();
  });

  it("there, back and there again leaves no run behind that a queue had let in", async () => {
    const [first, second] = [await createDatabase(), await createDatabase()];
    const before = await openWorkHub(first);
    const { run } = await before.store.createRun(newRun());
    await eventually(async () => {
      expect(await query(first, "select id from runs where admitted is not null")).toHaveLength(1);
    });
    await before.close();
    const sqlite = await openSqlite(newFile());
    for (const [url, there] of [
      [first, true],
      [second, false],
    ] as const) {
      const postgres = await openPostgres(url);
      await moveDatabase(there ? postgres : sqlite, there ? sqlite : postgres, {});
      await postgres.close();
    }
    await sqlite.close();
    const after = await openWorkHub(second);
    const claimed: string[] = [];
    await eventually(async () => {
      const { deliveries } = await after.dispatcher.claim({ limit: 1, inFlight: {} });
      claimed.push(...deliveries.map((delivery) => delivery.claimed.run.id));
      expect(claimed).toEqual([run.id]);
    });
    await after.close();
  });

  it("notices that a row arrived changed", async () => {
    const [source, target] = [await fill(newFile()), await openPostgres(await createDatabase())];
    const lossy = {
      ...target,
      insert: (...[table, columns, rows, progress]: Parameters<MovingDatabase["insert"]>) =>
        target.insert(
          table,
          columns,
          rows.map((row) => (row["type"] === "log" ? { ...row, timestamp: 1 } : row)),
          progress,
        ),
    };
    await expect(moveDatabase(source, lossy, {})).rejects.toMatchObject({
      code: "DATABASE_CORRUPT",
    });
    for (const database of [source, target]) await database.close();
  });
});

it("moving copies bytes that records refer to, counts those that are missing, and refuses those that are not what they were", async () => {
  const [from, to] = [await openFileBlobs(join(folder, "from")), await openFileBlobs(join(folder, "to"))];
  const { sha256 } = await from.put(randomBytes(1000));
  const file = newFile();
  const store = await openSqliteStore({ file });
  const id = await startRun(store);
  const inside = {
    id: "b",
    type: "structured",
    name: "n",
    content_hash: `sha256:${"b".repeat(64)}`,
  } as const;
  await store.append(id, [
    artifactAdded("a", sha256),
    newEvent({ type: "artifact.added", payload: { artifact: { ...inside, data: { small: true } } } }),
    artifactAdded("c", "c".repeat(64)),
    ended(),
  ]);
  await store.close();
  const database = await openSqlite(file);
  const missing = { missing: 1, firstMissing: "c".repeat(64) };
  expect(await copyBlobs(database, from, to)).toEqual({ copied: 1, present: 0, bytes: 1000, ...missing });
  expect(await copyBlobs(database, from, to)).toEqual({ copied: 0, present: 1, bytes: 0, ...missing });
  const empty = await openFileBlobs(join(folder, "empty"));
  const other = await from.put(randomBytes(10));
  await expect(
    copyBlobs(database, { stat: (hash) => from.stat(hash), read: () => from.read(other.sha256) }, empty),
  ).rejects.toMatchObject({
    code: "DATABASE_CORRUPT",
  });
  expect(await empty.stat(other.sha256)).toBeUndefined();
  await database.close();
});
