// The Store over any SQL backend: puts the operations of this folder together, and tells watchers after each commit.
import type { AppendOptions, Store } from "../../core/ports/store.ts";
import { createAgentCache } from "./agent-cache.ts";
import { createAgentQueries } from "./agents.ts";
import { createAppendEvents } from "./append-events.ts";
import { createBlobMarks } from "./blob-marks.ts";
import { createClaimQueued, type QueuedRuns } from "./claim-queued.ts";
import { createClaimRuns } from "./claim-runs.ts";
import { createCreateRun } from "./create-run.ts";
import {
  decideAppend,
  isStale,
  leaves,
  notFound,
  type AppendOne,
  type Appended,
  type Asked,
} from "./decide-append.ts";
import { createDeleteRun } from "./delete-run.ts";
import { createEraser, createEraseSlice } from "./erase-events.ts";
import { createEvaluationStore } from "./evaluations.ts";
import { createPositions, createReadFeed } from "./feed.ts";
import { createGatewayIdQueries } from "./gateway-ids.ts";
import { createHubFacts } from "./hub-facts.ts";
import { createInsertEvents } from "./insert-events.ts";
import { createListPage } from "./list-page.ts";
import { createCountRuns, createDueSince, createExpiredRuns, createListRuns } from "./list-runs.ts";
import { createRunLoader } from "./load-run.ts";
import { createMessageStore } from "./messages.ts";
import { createProbe } from "./probe.ts";
import { createLogQueries } from "./read-log.ts";
import { createReadRun } from "./read-run.ts";
import { createRegistryStore } from "./registry.ts";
import { createRunBlocks, createRunCounter } from "./run-blocks.ts";
import type { RunCache } from "./run-cache.ts";
import { createSavedArtifactQueries } from "./saved-artifacts.ts";
import { createScriptToolQueries } from "./script-tools.ts";
import type { Connection, SqlBackend } from "./sql-backend.ts";
import { isTerminal } from "../../core/run.ts";
import { createAuditQueries } from "./audit.ts";
import { createSummarizeRuns } from "./summarize-runs.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { createTalkingRuns } from "./talking-runs.ts";
import { template } from "./template.ts";
import { createTokenQueries } from "./tokens.ts";
import { createUnreferenced } from "./unreferenced.ts";
import { createDoubleQueries } from "./doubles.ts";
import { createWorkerQueries } from "./workers.ts";
import type { Watchers } from "./watchers.ts";

interface SqlStoreDeps {
  backend: SqlBackend;
  /** Caches runs in flight, for the writer. */
  cache: RunCache;
  /** Caches the runs that were read last, for readers. */
  readCache: RunCache;
  watchers: Watchers;
  /** True when this process is the only writer of the database: what was read stays true until this store changes it. */
  soleWriter: boolean;
  /** Decides which worker has which run, in the transactions of this store. Absent where the table of runs is the queue. */
  queued?: QueuedRuns;
}

export function createSqlStore(deps: SqlStoreDeps): Store {
  const { backend, cache, readCache, watchers, soleWriter, queued } = deps;
  const queue = queued?.queue;
  const { dialect, read, write, close } = backend;
  const loader = createRunLoader(dialect, cache);
  const positions = createPositions(dialect);
  const insertEvents = createInsertEvents(dialect, positions);
  const appendEvents = createAppendEvents(dialect, cache, insertEvents);
  const counter = backend.runCounter ?? createRunCounter(dialect);
  const createRun = createCreateRun(dialect, loader, insertEvents, counter);
  const claimRuns = queued
    ? createClaimQueued(dialect, loader, queued)
    : createClaimRuns(dialect, loader, appendEvents);
  const unreferenced = createUnreferenced(dialect);
  const eraseSlice = createEraseSlice(dialect);
  const eraser = createEraser(backend, eraseSlice);
  const deleteRun = createDeleteRun(dialect, loader, cache, unreferenced, eraseSlice, positions, counter);
  const listRuns = createListRuns(dialect, loader);
  const blocks = createRunBlocks(counter, read, soleWriter);
  const listPage = createListPage(dialect, loader, blocks);
  const expired = createExpiredRuns(dialect, loader);
  const talking = createTalkingRuns(dialect, loader);
  const workers = createWorkerQueries(dialect);
  const doubles = createDoubleQueries(dialect);
  const countRuns = createCountRuns(dialect);
  const summarizeRuns = createSummarizeRuns(dialect, countRuns);
  const dueSince = createDueSince(dialect);
  let refused = 0;
  const noteRefusal = (error: unknown): never => {
    if (isStale(error)) refused += 1;
    throw error;
  };
  const log = createLogQueries(dialect);
  const readFeed = createReadFeed(dialect, backend.settledEnd);
  const agents = createAgentQueries(dialect);
  const agentCache = createAgentCache((name) => agents.read(read, name), soleWriter);
  const registry = createRegistryStore(backend, agents, agentCache.remove);
  const probe = createProbe(dialect);
  const saved = createSavedArtifactQueries(dialect, unreferenced);
  const ids = createGatewayIdQueries(dialect);
  const tokens = createTokenQueries(dialect);
  const audit = createAuditQueries(dialect);
  const scripts = createScriptToolQueries(dialect);
  const saveSealed = template(({ id, sealed }: { id: string; sealed: string }) =>
    dialect.builder.updateTable("runs").set({ sealed }).where("id", "=", id),
  );
  const saveContinuation = template(({ id, continuation }: { id: string; continuation: string }) =>
    dialect.builder.updateTable("runs").set({ continuation }).where("id", "=", id),
  );
  const readRun = createReadRun((id) => loader.load(read, id), readCache, watchers);

  async function append(
    tx: Connection,
    runId: string,
    asked: Asked,
    options: AppendOptions,
  ): Promise<Appended> {
    const { sealed, continuation, successor } = options;
    const before = await loader.loadForUpdate(tx, runId);
    if (before === undefined) throw notFound(runId);
    const events = decideAppend(before, asked, options);
    const after = await appendEvents(tx, before, events);
    const left = leaves(before, after);
    if (left) await queue?.left(tx, runId, left);
    // Nothing is kept sealed beside an ended run but its continuation.
    const keeps = sealed !== undefined && !isTerminal(after.state.run.status);
    if (keeps) await tx.run(saveSealed({ id: runId, sealed }));
    if (continuation !== undefined) await tx.run(saveContinuation({ id: runId, continuation }));
    const followed = successor !== undefined && (await createRun(tx, successor)).created;
    // A copy, because the record may be cached and the caller may change its answer.
    return { run: { ...after.state.run }, before, after, followed, events };
  }

  const appendInTransaction: AppendOne = (runId, asked, options) =>
    write((tx) => append(tx, runId, asked, options), runId);
  const appendOne =
    backend.appender?.({ load: (id) => loader.load(read, id), appendInTransaction }) ?? appendInTransaction;

  // Events may be left from when the database was closed, or its process killed.
  if (!backend.readOnly) eraser.wake();
  return {
    async createRun(newRun) {
      const result = await write((tx) => createRun(tx, newRun), "create");
      if (result.created) blocks.grown();
      if (result.created) queue?.changed(result.run.agent, newRun.id, false);
      if (result.created)
        watchers.notify(newRun.id, newRun.events.length - 1, newRun.events.length, false, false);
      return result;
    },
    async append(runId, asked, options = {}) {
      const { run, before, after, followed, events } = await appendOne(runId, asked, options).catch(
        noteRefusal,
      );
      const ended = run.ended_at !== null;
      if (run.status !== before.state.run.status || followed)
        queue?.changed(run.agent, runId, leaves(before, after) !== undefined);
      if (events.length > 0) {
        const byOwner = options.fence !== undefined;
        const news = byOwner ? undefined : events;
        watchers.notify(runId, after.nextSequence - 1, events.length, ended, byOwner, news);
      }
      // Readers that waited for the end read it now, and it hardly ever changes again.
      if (ended) readCache.set(runId, after);
      if (followed && options.successor) {
        blocks.grown();
        const { id, events: first } = options.successor;
        watchers.notify(id, first.length - 1, first.length, false, false);
      }
      return run;
    },
    async claimRuns(request) {
      const { started, committed, ...result } = await write((tx) => claimRuns(tx, request), "claim");
      committed?.();
      for (const record of started) {
        queued?.claimed(record);
        watchers.notify(record.state.run.id, record.nextSequence - 1, 1, false, true);
      }
      return result;
    },
    readRun: async (id) => (await readRun(id))?.state.run,
    listRuns: (query) => listRuns(read, query),
    listPage: (page) => listPage(read, page),
    async deleteRun(id) {
      const deleted = await write((tx) => deleteRun(tx, id), id);
      if (deleted === undefined) return undefined;
      blocks.shrunk(deleted.ordinal);
      if (deleted.eventsLeft) eraser.wake();
      watchers.notify(id, deleted.lastSequence, 0, true, false);
      return deleted.files;
    },
    unreferenced: (files) => unreferenced(read, files),
    renew: (worker, untilMs) => write((tx) => workers.renew(tx, worker, untilMs)),
    workers: {
      beat: (worker, nowMs, untilMs) => write((tx) => workers.beat(tx, worker, nowMs, untilMs)),
      list: (nowMs) => workers.list(read, nowMs),
      drain: (id) => write((tx) => workers.drain(tx, id)),
      remove: (id) => write((tx) => workers.remove(tx, id)),
    },
    doubles: {
      add: (id, double, nowMs, untilMs) => write((tx) => doubles.add(tx, id, double, nowMs, untilMs)),
      record: (id, asked, nowMs, untilMs) => write((tx) => doubles.record(tx, id, asked, nowMs, untilMs)),
      end: (id, nowMs) => write((tx) => doubles.end(tx, id, nowMs)),
      list: (nowMs) => doubles.list(read, nowMs),
      read: (id, nowMs) => doubles.read(read, id, nowMs),
      requests: (id, query) => doubles.requests(read, id, query),
    },
    expired: (now, limit) => expired(read, now, limit),
    readSecrets: (id) => talking.readSecrets(read, id),
    openQuestions: (query) => talking.openQuestions(read, query),
    dueParked: (now, limit) => talking.dueParked(read, now, limit),
    nextExpiry: () => talking.nextExpiry(read),
    tally: (rootId) => talking.tally(read, rootId),
    countRuns: () => countRuns(read),
    summarizeRuns: (sinceMs, bucketMs) => summarizeRuns(read, sinceMs, bucketMs),
    dueSince: (now) => dueSince(read, now),
    refusedWrites: () => refused,
    readEvents: (runId, after, limit) => log.readEvents(read, runId, after, limit),
    feed: (after, limit) => readFeed(read, after, limit),
    readArtifact: (runId, artifactId) => log.readArtifact(read, runId, artifactId),

    async putAgent(agent, options) {
      await write((tx) => agents.put(tx, agent, options?.replace ?? false));
      agentCache.remove(agent.agent.name);
    },
    readAgent: agentCache.read,
    listAgents: (page) => agents.list(read, page),
    async removeAgent(name) {
      const removed = await write((tx) => registry.forget(tx, name));
      agentCache.remove(name);
      return removed;
    },

    savedArtifacts: {
      add: (artifact, limits) => write((tx) => saved.add(tx, artifact, limits)),
      read: (key, version) => saved.read(read, key, version),
      list: (scope, page) => saved.list(read, scope, page),
      versions: (key, page) => saved.versions(read, key, page),
      remove: (key) => write((tx) => saved.remove(tx, key)),
    },
    gatewayIds: {
      put: (id) => write((tx) => ids.put(tx, id)),
      putTask: (task, context) => write((tx) => ids.putTask(tx, task, context)),
      byInner: (gateway, kind, inner) => ids.byInner(read, gateway, kind, inner),
      byOuter: (gateway, kind, user, outer) => ids.byOuter(read, gateway, kind, user, outer),
    },
    tokens: {
      add: (token) => write((tx) => tokens.add(tx, token)),
      read: (id) => tokens.read(read, id),
      list: (page) => tokens.list(read, page),
      rotate: (id, digest, until) => write((tx) => tokens.rotate(tx, id, digest, until)),
      revoke: (id, at) => write((tx) => tokens.revoke(tx, id, at)),
      ofAgent: (agent) => tokens.ofAgent(read, agent),
      use: (id, agent, at) => write((tx) => tokens.use(tx, id, agent, at)),
      touch: (uses) => write((tx) => tokens.touch(tx, uses)),
      isClosed: () => tokens.isClosed(read),
      note: (entries) => write(async (tx) => tokens.prune(tx, await audit.note(tx, entries))),
      audit: (filter) => audit.list(read, filter),
    },

    registry: registry.store,
    scriptTools: {
      put: (tool, replace) => write((tx) => scripts.put(tx, tool, replace)),
      read: (name) => scripts.read(read, name),
      list: (page) => scripts.list(read, page),
      remove: (name) => write((tx) => scripts.remove(tx, name)),
    },

    messages: createMessageStore(dialect, backend),
    evaluations: createEvaluationStore(dialect, backend, positions),
    blobMarks: createBlobMarks(backend),
    facts: createHubFacts(backend),
    subscriptions: createSubscriptions(backend),

    watch: watchers.watch,
    async ping() {
      backend.check?.();
      await write(probe);
    },
    async close() {
      // At once: what comes after this call is refused, and nothing is answered from memory.
      readCache.clear();
      agentCache.clear();
      blocks.clear();
      await Promise.all([close(), eraser.close()]);
    },
  };
}
