import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { ended, newRun } from "../../../test/support/stores/fixtures.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations.ts";
import { openConnection } from "./sqlite-connection.ts";
import { openSqliteStore } from "./open-store.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

const RUNS = 200_000;
const SIZE = 20;

let directory: string;
let file: string;
let store: Store;

/** A database with very many runs, as a Proctor that counted no blocks left it. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "proctor-pages-"));
  file = join(directory, "proctor.db");
  const present = join(directory, "present.db");
  store = await openSqliteStore({ file: present });
  await store.createRun({ ...newRun(), id: "run-1" });
  await store.close();
  const connection = openConnection(file, (error) => error);
  const steps = MIGRATIONS.slice(
    0,
    MIGRATIONS.findIndex(({ name }) => name === "pages by number"),
  );
  await migrate(connection, sqliteDialect, file, steps);
  const columns = "agent, status, created_at, not_before, next_sequence, fence, artifact_count, progress";
  connection.exec(`attach '${present}' as present`);
  connection.exec(`
    begin;
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${RUNS})
      insert into main.runs (ordinal, id, ${columns}) select i, 'run-' || i, ${columns} from present.runs, n;
    insert into main.events (run_id, sequence, timestamp, type, payload)
      select 'run-' || ordinal, sequence, timestamp, type, payload from main.runs, present.events where sequence = 0;
    -- A gap: whole blocks without a run.
    delete from main.events where run_id in (select id from main.runs where ordinal between 5000 and 8999);
    delete from main.runs where ordinal between 5000 and 8999;
    commit;
  `);
  connection.close();
  store = await openSqliteStore({ file });
});

afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const total = RUNS - 4000;

/** Of the run before which there are so many newer ones. */
function ordinalAt(newer: number): number {
  const ordinal = RUNS - newer;
  return ordinal >= 9000 ? ordinal : ordinal - 4000;
}

it("a page by number counts what was there before, and finds every page", async () => {
  for (const page of [1, 2, 51, 52, 500, 9550, 9551, total / SIZE]) {
    const first = (page - 1) * SIZE;
    const { items, total: counted } = await store.listPage({ page, size: SIZE });
    expect(counted).toBe(total);
    expect(items.map(({ id }) => id)).toEqual(
      Array.from({ length: SIZE }, (_, index) => `run-${ordinalAt(first + index)}`),
    );
  }
  expect(await store.listPage({ page: total / SIZE + 1, size: SIZE })).toEqual({ items: [], total });
});

it("a page by number costs about the same for the first page, one far away and the last, also while runs are added", async () => {
  const cpuMs = async (page: number): Promise<number> => {
    const before = threadCpuMs();
    for (let round = 0; round < 100; round++) await store.listPage({ page, size: SIZE });
    return threadCpuMs() - before;
  };
  await cpuMs(1);
  // The best of a few comparisons: a collection of garbage may fall into one.
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) {
    const near = await cpuMs(1);
    ratios.push(Math.max(await cpuMs(1000), await cpuMs(5000), await cpuMs(total / SIZE)) / near);
  }
  expect(Math.min(...ratios)).toBeLessThan(2);

  for (let round = 0; round < 20; round++) {
    const { run } = await store.createRun(newRun());
    const { items, total: counted } = await store.listPage({ page: 1, size: 1 });
    expect({ id: items[0]?.id, counted }).toEqual({ id: run.id, counted: total + 1 });
    await store.append(run.id, [ended("failed")]);
    await store.deleteRun(run.id);
  }
});
