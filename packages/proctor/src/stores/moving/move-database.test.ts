import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createDatabase, lacksPostgres } from "../../../test/support/postgres.ts";
import {
  artifactAdded,
  claimRequest,
  ended,
  logged,
  newRun,
  startRun,
} from "../../../test/support/stores/fixtures.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
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
const NOW = Date.now();
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
    const there = await moveDatabase(source, middle, { now: NOW, pageRows: 3 });
    expect(there).toMatchObject({ continued: false, logs: 4 + 5 });
    expect(there.rows["runs"]).toBe(4 + 5);
    expect(await checksums(middle)).toEqual(before);

    const back = await openSqlite(newFile());
    expect(await moveDatabase(middle, back, { now: NOW })).toMatchObject({ checksum: there.checksum });
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
    const program = fileURLToPath(new URL("../../../test/support/stores/move-slowly.ts", import.meta.url));
    const mover = spawn(process.execPath, ["--import", "tsx", program, file, url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(mover, "exit");
    for await (const line of createInterface({ input: mover.stdout }))
      if (line === "events 6") mover.kill("SIGKILL");
    await exited;
    const target = await openPostgres(url);
    const again = await openSqlite(file);
    const other = await openSqlite(newFile());
    await expect(moveDatabase(other, target, { now: NOW })).rejects.toThrow(
      "holds a part of another database",
    );
    expect(await moveDatabase(again, target, { now: NOW })).toMatchObject({ continued: true });
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
    await expect(moveDatabase(source, target, { now: NOW })).rejects.toMatchObject({
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
    await expect(moveDatabase(source, target, { now: NOW })).rejects.toThrow(
      "is not empty: it has rows in agents",
    );
    for (const database of [source, target]) await database.close();
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
    await expect(moveDatabase(source, lossy, { now: NOW })).rejects.toMatchObject({
      code: "DATABASE_CORRUPT",
    });
    for (const database of [source, target]) await database.close();
  });
});

it("moving copies bytes that records refer to, and refuses those that are not what they were", async () => {
  const [from, to] = [await openFileBlobs(join(folder, "from")), await openFileBlobs(join(folder, "to"))];
  const { sha256 } = await from.put(randomBytes(1000));
  const file = newFile();
  const store = await openSqliteStore({ file });
  const id = await startRun(store);
  await store.append(id, [artifactAdded("a", sha256), ended()]);
  await store.close();
  const database = await openSqlite(file);
  expect(await copyBlobs(database, from, to)).toEqual({ copied: 1, present: 0, bytes: 1000 });
  expect(await copyBlobs(database, from, to)).toEqual({ copied: 0, present: 1, bytes: 0 });
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
