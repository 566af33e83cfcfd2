import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";
import {
  claimRequest,
  ended,
  logged,
  newRun,
  readLog,
  startRun,
} from "../../../test/support/stores/fixtures.ts";
import { storeCases } from "../store.case.ts";
import { connectReader, connectWriter } from "./connect.ts";
import { openSqliteStore } from "./open-store.ts";

let directory: string;
let file: string;
const stores: Store[] = [];

async function open(options: { readOnly?: boolean; maxPageCount?: number } = {}): Promise<Store> {
  const store = await openSqliteStore({ file, ...options });
  stores.push(store);
  return store;
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proctor-sqlite-"));
  file = join(directory, "data", "proctor.db");
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Looks into the file from beside the store. */
function look(sql: string): unknown[] {
  const database = new Database(file);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

storeCases("SQLite", async () => {
  let current = await openSqliteStore({ file });
  return {
    store: current,
    async reopen() {
      await current.close();
      current = await openSqliteStore({ file });
      return current;
    },
    close: () => current.close(),
  };
});

describe("the database file", () => {
  it("is created with its directory, for this user only", async () => {
    await open();
    expect(statSync(join(directory, "data")).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is durable: write-ahead log, synced at every commit", () => {
    const unchanged = (error: unknown) => error;
    const connections = [connectWriter(file, unchanged), connectReader(file, unchanged)] as const;
    const settings = connections.map((connection) =>
      ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "query_only"].map(
        (name) =>
          Object.values(
            connection.first<object>({ sql: `PRAGMA ${name}`, parameters: [] }) ?? {},
          )[0] as unknown,
      ),
    );
    for (const connection of connections) connection.close();
    expect(settings[0]).toEqual(["wal", 2, 1, 5000, 0]);
    expect(settings[1]?.[0]).toBe("wal");
    expect(settings[1]?.slice(3)).toEqual([5000, 1]);
  });

  it("holds everything itself after a close: the log beside it is empty", async () => {
    const store = await open();
    const id = await startRun(store);
    await store.close();
    await store.close();
    expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
    expect(look(`select count(*) as n from events where run_id = '${id}'`)).toEqual([{ n: 3 }]);
  });

  it("holds nothing sealed once the run has ended", async () => {
    const store = await open();
    const sealed = () => look("select sealed from runs order by ordinal");
    await store.createRun(newRun({ id: "r1", sealed: "box 1" }));
    await store.createRun(newRun({ id: "r2", sealed: "box 2" }));
    await store.claimRuns(claimRequest({ limit: 1 }));
    expect(sealed()).toEqual([{ sealed: "box 1" }, { sealed: "box 2" }]);
    await store.append("r1", [logged("bye"), ended()], { successor: newRun({ id: "r3", sealed: "box 3" }) });
    expect(sealed()).toEqual([{ sealed: null }, { sealed: "box 2" }, { sealed: "box 3" }]);
  });

  it("notes under which hash the bytes of artifacts are", async () => {
    const store = await open();
    const id = await startRun(store);
    const artifact = { id: "a1", type: "file", path: "x", content_hash: "sha256:abc" } as const;
    const payload = { artifact };
    await store.append(id, [
      { timestamp: 1, draft: { type: "artifact.added", payload }, payload: JSON.stringify(payload) },
    ]);
    expect(look("select run_id, sequence, id, sha256 from artifacts")).toEqual([
      { run_id: id, sequence: 3, id: "a1", sha256: "abc" },
    ]);
  });

  it("grows with what is appended, not with what the run already holds", async () => {
    const store = await open();
    const id = await startRun(store, { description: "x".repeat(2_000_000) });
    const before = statSync(`${file}-wal`).size;
    for (let index = 0; index < 20; index++) await store.append(id, [logged("small")]);
    expect(statSync(`${file}-wal`).size - before).toBeLessThan(1_000_000);
  });
});

describe("a database that cannot be used", () => {
  it("is refused when a newer version wrote it, naming both versions", async () => {
    await (await open()).close();
    const database = new Database(file);
    database.exec("insert into proctor_migrations values (99, 'from the future', 0)");
    database.close();
    for (const readOnly of [false, true]) {
      await expect(open({ readOnly })).rejects.toMatchObject({
        code: "DATABASE_TOO_NEW",
        message: expect.stringMatching(
          /proctor\.db has schema version 99; this Proctor knows versions up to \d+\n/,
        ),
      });
    }
  });

  it("is refused when it is a text file, and left as it was", async () => {
    mkdirSync(join(directory, "data"));
    writeFileSync(file, "this is a diary, not a database\n".repeat(100));
    for (const readOnly of [false, true]) {
      await expect(open({ readOnly })).rejects.toMatchObject({
        code: "DATABASE_CORRUPT",
        message: expect.stringMatching(/proctor\.db: .*\nRestore it from a backup, or move the file away/s),
      });
    }
    expect(readFileSync(file, "utf8")).toMatch(/^this is a diary/);
  });

  it("is called corrupt when its pages are damaged", async () => {
    const store = await open();
    const id = await startRun(store);
    await store.append(
      id,
      Array.from({ length: 500 }, (_, index) => logged(`${index} ${"x".repeat(200)}`)),
    );
    await store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096);
    writeFileSync(file, bytes);

    const use = async () => {
      const damaged = await open();
      await damaged.readEvents(id, -1, 1000);
    };
    await expect(use()).rejects.toMatchObject({ code: "DATABASE_CORRUPT" });
  });

  it("is refused when it is a database of another program", async () => {
    mkdirSync(join(directory, "data"));
    const database = new Database(file);
    database.exec("create table runs (name text)");
    database.close();
    await expect(open()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(look("select name from sqlite_master")).toEqual([{ name: "runs" }]);
  });

  it("is refused when the path is a directory, or below a file", async () => {
    mkdirSync(file, { recursive: true });
    await expect(open()).rejects.toMatchObject({ code: "DATA_DIR_UNWRITABLE" });
    rmSync(join(directory, "data"), { recursive: true });
    writeFileSync(join(directory, "data"), "");
    await expect(open()).rejects.toMatchObject({ code: "DATA_DIR_UNWRITABLE" });
  });

  it("is refused when this user may not write there", async ({ skip }) => {
    chmodSync(directory, 0o755);
    mkdirSync(join(directory, "data"), { mode: 0o755 });
    // Root may write anywhere, so another user has to try.
    const asRoot = process.getuid?.() === 0;
    if (!asRoot) chmodSync(join(directory, "data"), 0o555);
    const script = `
      import { openSqliteStore } from ${moduleLiteral("./open-store.ts", import.meta.url)};
      await openSqliteStore({ file: ${JSON.stringify(file)} }).then(() => console.log("opened"), (e) => console.log(e.code));
    `;
    const child = spawnSync(process.execPath, scriptArgs(script), {
      encoding: "utf8",
      ...(asRoot && { uid: 65534, gid: 65534 }),
      env: { ...process.env, TMPDIR: directory, TSX_DISABLE_CACHE: "1" },
    });
    if (child.stdout === "") skip(`another user cannot run the program here: ${child.stderr.slice(0, 200)}`);
    expect(child.stdout.trim()).toBe("DATA_DIR_UNWRITABLE");
    expect(existsSync(file)).toBe(false);
  });
});

describe("a full database", () => {
  it("refuses writes, keeps what it acknowledged, and goes on when there is room", async () => {
    const capped = await open({ maxPageCount: 120 });
    const id = await startRun(capped);
    // Smaller than what `ping` tries to write: what has no room for one has none for the other.
    const big = () => [logged("x".repeat(8000))];
    let acknowledged = 3;
    const fill = async () => {
      for (;;) {
        await capped.append(id, big());
        acknowledged++;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: "STORE_FULL", retryable: true });
    expect(acknowledged).toBeGreaterThan(5);
    await expect(capped.ping()).rejects.toMatchObject({ code: "STORE_FULL" });
    const log = await readLog(capped, id);
    expect(log).toHaveLength(acknowledged);
    expect(await capped.readRun(id)).toMatchObject({ status: "running" });
    // What is small may still fit, beside what does not.
    const results = await Promise.allSettled([
      capped.append(id, [logged("s")]),
      capped.append(id, [logged("x".repeat(500_000))]),
    ]);
    expect(results[1]).toMatchObject({ status: "rejected", reason: { code: "STORE_FULL" } });
    if (results[0].status === "fulfilled") acknowledged++;
    await capped.close();

    const roomy = await open();
    await roomy.ping();
    await roomy.append(id, big());
    const sequences = (await readLog(roomy, id)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: acknowledged + 1 }, (_, index) => index));
  });
});

describe("a database opened only to read", () => {
  it("sees what another writes, as it is committed", async () => {
    const writer = await open();
    const id = await startRun(writer);
    const reader = await open({ readOnly: true });
    expect(await readLog(reader, id)).toHaveLength(3);
    await writer.append(id, [logged("x")]);
    expect(await readLog(reader, id)).toHaveLength(4);
    expect((await reader.listRuns({})).items).toEqual([await writer.readRun(id)]);
  });

  it("refuses writes", async () => {
    const id = await startRun(await open());
    const reader = await open({ readOnly: true });
    const unavailable = { code: "STORE_UNAVAILABLE" };
    await expect(reader.append(id, [logged("x")])).rejects.toMatchObject(unavailable);
    await expect(reader.createRun(newRun())).rejects.toMatchObject(unavailable);
    await expect(reader.ping()).rejects.toMatchObject(unavailable);
  });

  it("works on a file that nobody has open, and one with odd characters in its path", async () => {
    file = join(directory, "100% odd?#&", "ü proctor.db");
    const writer = await open();
    const id = await startRun(writer);
    await writer.close();
    expect(await readLog(await open({ readOnly: true }), id)).toHaveLength(3);
  });

  it("refuses a missing file without making one, and one that is not ours", async () => {
    await expect(open({ readOnly: true })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(existsSync(join(directory, "data"))).toBe(false);
    mkdirSync(join(directory, "data"));
    writeFileSync(file, "");
    await expect(open({ readOnly: true })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
