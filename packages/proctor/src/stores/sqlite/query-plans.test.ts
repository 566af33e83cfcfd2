import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { claimRequest, ended, logged, newRun, startRun } from "../../../test/support/stores/fixtures.ts";
import { migrate } from "../sql/migrate.ts";
import { noRunCache } from "../sql/run-cache.ts";
import type { Query } from "../sql/sql-backend.ts";
import { createSqlStore } from "../sql/sql-store.ts";
import { createWatchers } from "../sql/watchers.ts";
import { connectWriter } from "./connect.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

let directory: string;
let connection: SqliteConnection;
let store: Store;
let asked: Map<string, Query>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "proctor-plans-"));
  connection = connectWriter(join(directory, "p.db"), (error) => error);
  await migrate(connection, sqliteDialect, "p.db");
  asked = new Map();
  const noted = (query: Query) => void asked.set(query.sql, query);
  const recorded: SqliteConnection = {
    ...connection,
    first: (query) => (noted(query), connection.first(query)),
    all: (query) => (noted(query), connection.all(query)),
    run: (query) => (noted(query), connection.run(query)),
  };
  store = createSqlStore({
    cache: noRunCache,
    readCache: noRunCache,
    soleWriter: false,
    watchers: createWatchers(),
    backend: {
      dialect: sqliteDialect,
      read: recorded,
      write: (operation) => operation(recorded),
      close: async () => connection.close(),
    },
  });
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

function plans(): string[] {
  return [...asked.values()].flatMap(({ sql, parameters }) =>
    connection
      .all<{ detail: string }>({ sql: `explain query plan ${sql}`, parameters })
      .map(({ detail }) => `${detail} -- ${sql}`),
  );
}

it("the SQLite store finds everything through an index and sorts nothing, however much there is", async () => {
  const id = await startRun(store, { idempotency: { key: "k", fingerprint: "f" } });
  await store.createRun(newRun({ idempotency: { key: "k", fingerprint: "f" } }));
  await store.append(id, [logged("x")]);
  await store.readRun(id);
  await store.readEvents(id, -1, 10);
  await store.readArtifact(id, "a");
  await store.expired(Infinity, 10);
  await store.listPage({ page: 1, size: 10 });
  await store.unreferenced({ hashes: ["aa"], names: ["x"] });
  for (const order of ["newest", "oldest"] as const) {
    for (const filter of [{}, { agent: "echo" }, { status: ["queued", "running"] as const }]) {
      const { next_cursor: cursor } = await store.listRuns({ order, limit: 1, ...filter });
      if (cursor !== null) await store.listRuns({ order, cursor, ...filter });
    }
  }
  await store.createRun(newRun({ agent: "other" }));
  await store.createRun(newRun({ agent: "other" }));
  // Both agents take no more: the claim has to look for others.
  await store.claimRuns(claimRequest({ limit: 1, inFlight: { echo: 99, other: 99 } }));
  await store.claimRuns(claimRequest({ limit: 1 }));
  await store.append(id, [ended()]);
  await store.deleteRun(id);
  await store.readAgent("a");
  await store.listAgents({});

  const used = plans();
  expect(used.length).toBeGreaterThan(20);
  // The first page of all runs reads the table in its own order and stops at the limit: that may be called a scan.
  const firstPage = /^SCAN runs -- .*\(select "ordinal" from "runs" order by "ordinal" (asc|desc) limit \?\)/;
  const slow = /^SCAN (runs|events|artifacts|agents)|TEMP B-TREE/;
  expect(used.filter((plan) => slow.test(plan) && !firstPage.test(plan))).toEqual([]);
});
