import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { BatchStep, Connection } from "../sql/sql-backend.ts";
import { connectReader, connectWriter } from "./connect.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

let directory: string;
let writer: SqliteConnection;
let reader: SqliteConnection;
let group: GroupCommit;
let rollbacks: number;
let transactions: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proctor-group-"));
  const file = join(directory, "g.db");
  writer = connectWriter(file, (error) => error);
  reader = connectReader(file, (error) => error);
  writer.exec("create table t (n integer primary key)");
  rollbacks = 0;
  transactions = [];
  const watched: SqliteConnection = {
    ...writer,
    exec(sql) {
      transactions.push(sql);
      writer.exec(sql);
    },
  };
  group = createGroupCommit(watched, () => rollbacks++);
});

afterEach(async () => {
  await group.close();
  reader.close();
  writer.close();
  rmSync(directory, { recursive: true, force: true });
});

const insert = (n: number) => ({ sql: "insert into t values (?)", parameters: [n] });
const add = (n: number) => async (tx: Connection) => tx.run(insert(n));
const committed = () => reader.all<{ n: number }>({ sql: "select n from t order by n", parameters: [] });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

it("a group commit commits what arrives in one turn together", async () => {
  await Promise.all(numbers(100).map((n) => group.write(add(n))));
  expect(transactions).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
  expect(committed()).toHaveLength(100);
});

it("a group commit splits what would hold up everything else", async () => {
  await Promise.all(numbers(600).map((n) => group.write(add(n))));
  expect(transactions.filter((sql) => sql === "COMMIT")).toHaveLength(2);
});

it("a group commit answers nobody before the commit", async () => {
  const seen = await Promise.all(
    numbers(3).map(async (n) => {
      await group.write(add(n));
      return committed().length;
    }),
  );
  expect(seen).toEqual([3, 3, 3]);
});

it("a group commit lets operations of one group see each other, and readers none of them", async () => {
  const count = { sql: "select count(*) as n from t", parameters: [] };
  const [, inside, outside] = await Promise.all([
    group.write(add(1)),
    group.write(async (tx) => tx.first(count)),
    group.write(async () => reader.first(count)),
  ]);
  expect(inside).toEqual({ n: 1 });
  expect(outside).toEqual({ n: 0 });
});

it("a group commit runs the others again, each by itself, when one fails after it wrote", async () => {
  let runs = 0;
  const results = await Promise.allSettled([
    group.write(async (tx) => {
      runs++;
      await add(1)(tx);
    }),
    group.write(async (tx) => {
      await add(2)(tx);
      throw new Error("changed my mind");
    }),
    group.write(async (tx) => {
      await add(3)(tx);
      await add(1)(tx);
    }),
    group.write(add(4)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(results[1]).toMatchObject({ reason: { message: "changed my mind" } });
  expect(results[2]).toMatchObject({ reason: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } });
  expect(committed()).toEqual([{ n: 1 }, { n: 4 }]);
  expect(runs).toBe(2);
  expect(rollbacks).toBe(3);
});

it("a group commit rolls nothing back for an operation that was refused before it wrote", async () => {
  const results = await Promise.allSettled([
    group.write(add(1)),
    group.write(async () => {
      throw new Error("refused");
    }),
    group.write(add(2)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(transactions).toEqual(["BEGIN IMMEDIATE", "COMMIT"]);
  expect(rollbacks).toBe(0);
});

it("a group commit answers with the error when the commit itself fails, and goes on after it", async () => {
  writer.exec("create table child (n integer references t deferrable initially deferred)");
  const orphan = { sql: "insert into child values (?)", parameters: [77] };
  const results = await Promise.allSettled([
    group.write(add(1)),
    group.write(async (tx) => tx.run(orphan)),
    group.write(async () => {
      throw new Error("refused");
    }),
  ]);
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { code: expect.stringContaining("SQLITE_CONSTRAINT") } },
    { status: "rejected", reason: { message: "refused" } },
  ]);
  await group.write(add(2));
  expect(committed()).toEqual([{ n: 1 }, { n: 2 }]);
});

it("a group commit carries out a step once, for what all operations of the commit left to it", async () => {
  const steps: number[][] = [];
  const step: BatchStep<number> = async (tx, items) => {
    steps.push([...items]);
    for (const n of items) await tx.run(insert(n));
  };
  await Promise.all(numbers(3).map((n) => group.write(async (tx) => tx.later?.(step, n))));
  expect(steps).toEqual([[0, 1, 2]]);
  expect(committed()).toHaveLength(3);
  await group.write(async (tx) => tx.later?.(step, 3));
  expect(steps).toEqual([[0, 1, 2], [3]]);
});

it("a group commit undoes what was left to a step that fails, and blames only who left it", async () => {
  const step: BatchStep<number> = async (tx, items) => {
    for (const n of items) await tx.run(insert(n));
  };
  const leave = (n: number) => async (tx: Connection) => {
    await add(n)(tx);
    tx.later?.(step, n + 10);
  };
  await group.write(add(12));
  const results = await Promise.allSettled([
    group.write(leave(1)),
    group.write(leave(2)),
    // The step fails here first, though this operation left it nothing.
    group.write(async (tx) => tx.settle?.()),
    group.write(leave(3)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(committed().map(({ n }) => n)).toEqual([1, 3, 11, 12, 13]);
});

it("a group commit takes nothing more after it was closed", async () => {
  const last = group.write(add(1));
  const closed = group.close();
  await expect(group.write(add(2))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await Promise.all([last, closed]);
  expect(committed()).toEqual([{ n: 1 }]);
});
