import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunQuery, Store } from "../../core/ports/store.ts";
import {
  answered,
  asked,
  claimRequest,
  ended,
  logged,
  newEvent,
  newRun,
  NOW,
  parked,
  startRun,
} from "../../../test/support/stores/fixtures.ts";
import { newEvaluation, OWNER, TOTALS } from "../../../test/support/evaluations.ts";
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
let queries: Map<string, Query>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "proctor-plans-"));
  connection = connectWriter(join(directory, "p.db"), (error) => error);
  await migrate(connection, sqliteDialect, "p.db");
  queries = new Map();
  const noted = (query: Query) => void queries.set(query.sql, query);
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
  return [...queries.values()].flatMap(({ sql, parameters }) =>
    connection
      .all<{ detail: string }>({ sql: `explain query plan ${sql}`, parameters })
      .map(({ detail }) => `${detail} -- ${sql}`),
  );
}

/** Every query about runs that talk, on a run that is asked, parked, looked after, answered and ended. */
async function talk(): Promise<void> {
  const id = "talking";
  await store.createRun(newRun({ id, conversation: "c", parent: "p", root: "p" }));
  const { claimed } = await store.claimRuns(claimRequest({ only: [id] }));
  await store.append(id, [asked("q1"), asked("q2"), parked(NOW + 10)], { fence: claimed[0]?.fence ?? 0 });
  await store.renew("w", NOW);
  await store.expired(NOW, 10);
  await store.readSecrets(id);
  await store.dueParked(NOW, 10);
  await store.nextExpiry();
  await store.tally("p");
  for (const filter of [{}, { agent: "echo" }, { conversation: "c" }]) {
    const { next_cursor: cursor } = await store.openQuestions({ limit: 1, ...filter });
    if (cursor === null) throw new Error("there must be a second page");
    await store.openQuestions({ limit: 1, ...filter, cursor });
  }
  const narrow = [{ conversation: "c" }, { parent: "p" }, { root: "p" }, { alias: "a" }];
  const wide = [{}, { status: ["waiting", "completed"] as const }, { agent: "echo" }];
  for (const order of ["newest", "oldest"] as const) {
    for (const filter of narrow) for (const also of wide) await store.listRuns({ order, ...filter, ...also });
  }
  await store.claimRuns(claimRequest({ now: NOW + 20 }));
  await store.append(id, [answered("q1", "a1"), answered("q2", "a2"), ended()], {
    sealed: "s",
    continuation: "c",
  });
}

/** Every query about envelopes. */
async function post(): Promise<void> {
  const { messages } = store;
  const limits = { count: 9, bytes: 99 };
  const row = {
    sender: "a",
    receiver: "b",
    state: "waiting" as const,
    document: "{}",
    fingerprint: "f",
    sizeBytes: 1,
    createdAt: NOW,
    expiresAt: NOW,
    hops: 0,
  };
  const { message } = await messages.add({ ...row, id: "1" }, limits, "refuse");
  const { position } = message;
  await messages.find("a", "1");
  await messages.waiting("b", 0, 10);
  await messages.countDelivery("b", 0, 9);
  await messages.expired(NOW, 10);
  await messages.nextExpiry();
  await messages.inboxes({});
  await messages.bury(position, "expired", NOW);
  await messages.dead({});
  await messages.dead({ receiver: "b" });
  const revived = await messages.revive(position, NOW, limits);
  await messages.acknowledge("b", revived.position, NOW);
  await messages.working(0, 10);
  await messages.progress(position, { runId: "r", told: 1 });
  await messages.finish(position, NOW);
  await messages.forget(NOW + 1, 10);
}

/** Every query about artifacts beside runs, the ids of a gateway and script tools. */
async function save(): Promise<void> {
  const key = { app: "a", user: "u", session: "s", name: "n" };
  const { savedArtifacts, gatewayIds } = store;
  const limits = { fileBytes: 9, sessionBytes: 99, count: 9 };
  const created_at = new Date(NOW).toISOString();
  const row = { ...key, mime_type: "t", size_bytes: 1, content_hash: "sha256:aa", metadata: {}, created_at };
  for (const reuse of [false, true]) await savedArtifacts.add({ ...row, reuse }, limits);
  await savedArtifacts.read(key);
  await savedArtifacts.read(key, 1);
  await savedArtifacts.list(key, {});
  await savedArtifacts.versions(key, {});
  await savedArtifacts.remove(key);
  await gatewayIds.put({
    gateway: "g",
    kind: "task",
    outer: "o",
    inner: "i",
    user: "u",
    context: "c",
    createdAt: 1,
  });
  await gatewayIds.byOuter("g", "task", "u", "o");
  const tool = {
    name: "t",
    language: "shell",
    source: "true",
    parameters: {},
    sha256: "",
    created_at: "",
    updated_at: "",
  } as const;
  await store.scriptTools.put(tool, true);
  await store.scriptTools.read("t");
  await store.scriptTools.list({});
  await store.scriptTools.remove("t");
}

it("the SQLite store finds everything through an index and sorts nothing, however much there is", async () => {
  const id = await startRun(store, { idempotency: { key: "k", fingerprint: "f" } });
  await store.createRun(newRun({ idempotency: { key: "k", fingerprint: "f" } }));
  await store.append(id, [logged("x")]);
  await store.readRun(id);
  await store.readEvents(id, -1, 10);
  await store.feed(0, 10);
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
  await talk();
  await save();
  await post();

  const used = plans();
  expect(used.length).toBeGreaterThan(20);
  // The first page of all runs reads the table in its own order and stops at the limit: that may be called a scan.
  const firstPage =
    /^SCAN runs -- .*\(select "runs"\."ordinal" from "runs" order by "runs"\."ordinal" (asc|desc) limit \?\)/;
  const slow =
    /^SCAN (runs|events|long|artifacts|agents|workers|saved_artifacts|gateway_ids|script_tools|messages|inboxes|next)|TEMP B-TREE/;
  expect(used.filter((plan) => slow.test(plan) && !firstPage.test(plan))).toEqual([]);
  // What few runs have must not be looked for among all of them, or among all of a status or an agent.
  const rare = used.filter((plan) =>
    /expires_at"? (is|<)|check_at"? (is|<)|"(conversation|parent|root|alias)" =/.test(plan),
  );
  const walks = /^SEARCH runs USING (INTEGER PRIMARY KEY \(rowid[<>]|INDEX runs_by_(status|agent))/;
  expect(rare.length).toBeGreaterThan(50);
  expect(rare.filter((plan) => walks.test(plan))).toEqual([]);
});

it.each<[string, RunQuery, string]>([
  ["an evaluation", { evaluation: "00000000-0000-7000-8000-000000000000" }, "runs_by_evaluation"],
  ["a protocol", { protocol: "atp" }, "runs_by_protocol"],
  ["violations", { violations: true }, "runs_violated"],
  ["the time from which on", { created_after: new Date(NOW).toISOString() }, "runs_by_creation"],
  ["the time before which", { created_before: new Date(NOW).toISOString() }, "runs_by_creation"],
  ["their cost", { cost_at_least: 0.5 }, "runs_by_cost"],
])("the SQLite store finds runs by %s through an index, in order", async (_what, filter, index) => {
  for (const order of ["newest", "oldest"] as const) await store.listRuns({ order, ...filter });
  const used = plans();
  expect(used.filter((plan) => plan.includes(index))).toHaveLength(2);
  expect(used.filter((plan) => /^SCAN runs (?!USING COVERING INDEX runs_by_cost)/.test(plan))).toEqual([]);
  // Only the runs of one page are sorted, and only where the order of time decides.
  const sorts = used.filter((plan) => /TEMP B-TREE/.test(plan));
  expect(sorts).toHaveLength(/creation|cost/.test(index) ? 2 : 0);
});

it.each(["costliest", "slowest"] as const)(
  "the SQLite store lists the %s runs from their index, in order, whatever their status",
  async (order) => {
    const costs = { type: "run.ended", payload: { status: "completed", metrics: { cost_usd: 1 } } } as const;
    for (let made = 0; made < 2; made++) await store.append(await startRun(store), [newEvent(costs)]);
    for (const filter of [{}, { status: ["completed", "failed"] as const }]) {
      const { next_cursor: cursor } = await store.listRuns({ order, limit: 1, ...filter });
      if (cursor === null) throw new Error("there must be a second page");
      queries.clear();
      await store.listRuns({ order, limit: 1, cursor, ...filter });
      const used = plans().map((plan) => plan.split(" -- ")[0]);
      expect(used.filter((plan) => plan?.includes(`runs_${order}`))).toHaveLength(1);
      // Only the runs of one page are sorted.
      expect(used.filter((plan) => /TEMP B-TREE|^SCAN runs$/.test(plan ?? ""))).toHaveLength(1);
    }
  },
);

it("the SQLite store summarizes runs from indexes alone", async () => {
  await store.summarizeRuns(0, 60_000);
  const used = plans().map((plan) => plan.split(" -- ")[0]);
  expect(used.filter((plan) => /^(SCAN|SEARCH) runs/.test(plan ?? ""))).toEqual([
    "SCAN runs USING COVERING INDEX runs_by_status",
    "SEARCH runs USING COVERING INDEX runs_by_cost (created_at>?)",
    "SEARCH runs USING COVERING INDEX runs_by_creation (created_at>?)",
    // A sample of the newest, whose rows are read.
    "SEARCH runs USING INDEX runs_by_creation (created_at>?)",
  ]);
});

it("the SQLite store finds evaluations, their cases and their changes through indexes", async () => {
  const { evaluations } = store;
  const given = newEvaluation();
  const evaluation = {
    ...given,
    status: "running",
    started_at: new Date(NOW).toISOString(),
    ended_at: null,
    totals: TOTALS,
    stopped: null,
    exit_code: null,
    comparison: null,
    started_by: "operator",
    resumed: 0,
    alive_until: new Date(NOW).toISOString(),
  } as const;
  await evaluations.write(given.id, () => ({ evaluation, owner: OWNER, isNews: true }));
  await evaluations.read(given.id);
  for (const filter of [{ suite: "a" }, { agent: "a" }]) await evaluations.list({ ...filter, now: NOW });
  for (const order of ["plan", "failing"] as const) await evaluations.cases(given.id, { order });
  await evaluations.cases(given.id, { case: "c" });
  await evaluations.summaries(given.id, { most: 10 });
  for (const one of [{}, { evaluation: given.id }])
    await evaluations.changes({ after: 0, limit: 10, now: NOW, ...one });
  await evaluations.tally(NOW, 60_000);
  await evaluations.remove(given.id);
  const scans = plans().filter((plan) => /^SCAN (?:evaluation|removed_evaluations|c\b|e\b)/.test(plan));
  // The newest evaluations are read in the order of their table, as far as the page goes.
  expect(scans.filter((plan) => !/^SCAN evaluations -- .*order by "ordinal" desc/.test(plan))).toEqual([]);
  expect(plans().filter((plan) => /TEMP B-TREE/.test(plan))).toEqual([]);
});
