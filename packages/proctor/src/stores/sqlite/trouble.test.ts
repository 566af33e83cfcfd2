// A database that is taken away, that a disk cannot read, or whose write-ahead log has a hole.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { logged, newRun, startRun } from "../../../test/support/stores/fixtures.ts";
import { createConfirmDamage } from "./confirm-damage.ts";
import { openSqliteStore } from "./open-store.ts";
import { mapSqliteErrors } from "./sqlite-errors.ts";

let directory: string;
let file: string;
let store: Store | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proctor-trouble-"));
  mkdirSync(join(directory, "data"));
  file = join(directory, "data/p.db");
});

afterEach(async () => {
  await store?.close();
  store = undefined;
  rmSync(directory, { recursive: true, force: true });
});

describe("a database that was taken away", () => {
  const unavailable = {
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining("removed or replaced") as string,
  };

  it("acknowledges nothing more, and goes on when it is put back", async () => {
    store = await openSqliteStore({ file });
    const id = await startRun(store);
    const elsewhere = join(directory, "moved");
    renameSync(join(directory, "data"), elsewhere);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.append(id, [logged("lost")])).rejects.toMatchObject(unavailable);
    renameSync(elsewhere, join(directory, "data"));
    await store.append(id, [logged("kept")]);
    await store.ping();
    expect(await store.readEvents(id, 2, 10)).toMatchObject([
      { payload: expect.stringContaining("kept") as string },
    ]);
  });

  it("is not mistaken for another file in its place, nor for one without its companions", async () => {
    const artifacts = join(directory, "artifacts");
    mkdirSync(artifacts);
    store = await openSqliteStore({ file, alongside: [artifacts] });
    await store.ping();
    renameSync(artifacts, `${artifacts}-old`);
    mkdirSync(artifacts);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.createRun(newRun())).rejects.toMatchObject(unavailable);
    rmSync(artifacts, { recursive: true });
    renameSync(`${artifacts}-old`, artifacts);
    copyFileSync(file, `${file}-copy`);
    renameSync(`${file}-copy`, file);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
  });
});

describe("damage of a database", () => {
  const corrupt = Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" });

  it("is reported only when a second check finds it", () => {
    const doubtful = mapSqliteErrors(
      file,
      () => "open",
      () => false,
    )(corrupt);
    expect(doubtful).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(doubtful).toMatchObject({ message: expect.stringContaining("Leave the file as it is") as string });
    expect(
      mapSqliteErrors(
        file,
        () => "open",
        () => true,
      )(corrupt),
    ).toMatchObject({ code: "DATABASE_CORRUPT" });
    const failing = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_READ" });
    expect(mapSqliteErrors(file, () => "open")(failing)).toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("Leave the file as it is") as string,
    });
  });

  it("is found in a file that has it, and in no other", async () => {
    store = await openSqliteStore({ file });
    await startRun(store);
    expect(createConfirmDamage(file)()).toBe(false);
    expect(createConfirmDamage(join(directory, "missing.db"))()).toBe(false);
    const garbage = join(directory, "garbage.db");
    writeFileSync(garbage, Buffer.alloc(50_000, 0xa5));
    expect(createConfirmDamage(garbage)()).toBe(true);
  });
});

describe("a write-ahead log", () => {
  /** What a killed process leaves: a database with six runs, all of them in the log. */
  async function leave(): Promise<string> {
    store = await openSqliteStore({ file });
    for (let index = 0; index < 6; index++) await startRun(store);
    const copy = join(directory, "copy.db");
    for (const part of ["", "-wal"]) copyFileSync(`${file}${part}`, `${copy}${part}`);
    await store.close();
    return copy;
  }

  async function losses(copy: string): Promise<{ said: string[]; runs: number }> {
    const said: string[] = [];
    store = await openSqliteStore({ file: copy, onLoss: (message) => said.push(message) });
    return { said, runs: (await store.listRuns({})).items.length };
  }

  it("causes no warning when it is whole or was cut in its last frame", async () => {
    const copy = await leave();
    const torn = join(directory, "torn.db");
    for (const part of ["", "-wal"]) copyFileSync(`${copy}${part}`, `${torn}${part}`);
    truncateSync(`${torn}-wal`, readFileSync(`${torn}-wal`).length - 100);
    expect(await losses(copy)).toEqual({ said: [], runs: 6 });
    await store?.close();
    expect((await losses(torn)).said).toEqual([]);
  });

  it("causes a warning about missing commits when its middle is damaged", async () => {
    const copy = await leave();
    const size = readFileSync(`${copy}-wal`).length;
    writeSync(openSync(`${copy}-wal`, "r+"), Buffer.alloc(5000, 0x5a), 0, 5000, Math.floor(size / 2));
    const { said, runs } = await losses(copy);
    expect(runs).toBeLessThan(6);
    expect(said).toEqual([expect.stringContaining("may be missing")]);
  });

  it("causes the same warning when its header is damaged", async () => {
    const copy = await leave();
    writeSync(openSync(`${copy}-wal`, "r+"), Buffer.alloc(16, 0x5a), 0, 16, 0);
    expect((await losses(copy)).said).toEqual([expect.stringContaining("may be missing")]);
  });
});
