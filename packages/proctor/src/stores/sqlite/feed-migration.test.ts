import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logged, startRun } from "../../../test/support/stores/fixtures.ts";
import { openSqliteStore } from "./open-store.ts";
import { openConnection } from "./sqlite-connection.ts";
import { UNDO_STEPS } from "../../../test/support/stores/undo-steps.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "proctor-feed-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("the SQLite store puts the events of a database that kept no order of commits before all others, run by run", async () => {
  const file = join(directory, "p.db");
  const old = await openSqliteStore({ file });
  const [a, b] = [await startRun(old), await startRun(old)];
  await old.append(a, [logged("x")]);
  await old.close();
  const connection = openConnection(file, (error) => error);
  connection.exec(`
    drop index events_by_position;
    alter table events drop column position;
    drop table feed_floor;
    drop table saved_artifacts;
    drop table gateway_ids;
    drop table long_payloads;
    drop table script_tools;
    drop table messages;
    drop table inboxes;
    drop table tokens;
    drop table hub_closed;
    drop table audit;
    alter table agents drop column registration;
    drop table agent_leases;
    drop table agent_health;
    drop table agent_measures;
    drop table hub_alive;
    ${UNDO_STEPS}
    delete from proctor_migrations
      where version >= (select version from proctor_migrations where name = 'the order of all commits');
  `);
  connection.close();

  const store = await openSqliteStore({ file });
  try {
    await store.append(b, [logged("new")]);
    const places = (await store.feed(0, 100)).items.map(({ position, record }) => [
      position,
      record.run_id,
      record.sequence,
    ]);
    expect(places).toEqual([
      ...[0, 1, 2, 3].map((sequence) => [sequence + 1, a, sequence]),
      ...[0, 1, 2].map((sequence) => [sequence + 5, b, sequence]),
      [8, b, 3],
    ]);
  } finally {
    await store.close();
  }
});
