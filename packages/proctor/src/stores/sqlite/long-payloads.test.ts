import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { ended, logged, readLog, startRun } from "../../../test/support/stores/fixtures.ts";
import { openSqliteStore } from "./open-store.ts";
import { openConnection } from "./sqlite-connection.ts";
import { UNDO_STEPS } from "../../../test/support/stores/undo-steps.ts";

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proctor-long-"));
  file = join(directory, "p.db");
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const LONG = "x".repeat(5_000_000);

/** The longest payload in the log, and how many are kept apart. */
function look(): { longest: number; apart: number } | undefined {
  const connection = openConnection(file, (error) => error);
  const text = `select (select max(octet_length(payload)) from events) as longest,
    (select count(*) from long_payloads) as apart`;
  try {
    return connection.first<{ longest: number; apart: number }>({ sql: text, parameters: [] });
  } finally {
    connection.close();
  }
}

it("the SQLite store keeps no row in the log that is long to read for those who only look for another", async () => {
  const store = await openSqliteStore({ file });
  const id = await startRun(store);
  await store.append(id, [logged("short"), logged(LONG), logged("short")]);
  await store.append(id, [ended()]);
  expect(look()).toEqual({ longest: expect.toSatisfy((bytes: number) => bytes < 20_000), apart: 1 });
  await store.deleteRun(id);
  await eventually(() => expect(look()).toEqual({ longest: null, apart: 0 }));
  await store.close();
});

it("the SQLite store takes the long payloads of an older database out of its log", async () => {
  const old = await openSqliteStore({ file });
  const id = await startRun(old);
  await old.append(id, [logged(LONG), logged("short")]);
  const before = await readLog(old, id);
  await old.close();
  const connection = openConnection(file, (error) => error);
  connection.exec(`
    update events set payload = (select payload from long_payloads as long
        where long.run_id = events.run_id and long.sequence = events.sequence)
      where payload = '';
    drop table long_payloads;
    drop table script_tools;
    drop table tokens;
    drop table hub_closed;
    drop table audit;
    drop table messages;
    drop table inboxes;
    alter table agents drop column registration;
    drop table agent_leases;
    drop table agent_health;
    drop table agent_measures;
    drop table hub_alive;
    ${UNDO_STEPS}
    delete from proctor_migrations
      where version >= (select version from proctor_migrations where name = 'long payloads apart');
  `);
  connection.close();

  const store = await openSqliteStore({ file });
  expect(await readLog(store, id)).toEqual(before);
  expect(look()).toMatchObject({ longest: expect.toSatisfy((bytes: number) => bytes < 20_000), apart: 1 });
  await store.close();
});
