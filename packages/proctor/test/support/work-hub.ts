// A hub with a desk for workers without the database: on a real database, behind a real socket, in the process of the test.
import { createHttpClient, type HttpClient } from "../../src/hub/http-client.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { Dispatcher } from "../../src/core/ports/dispatcher.ts";
import type { Sealer } from "../../src/core/ports/sealer.ts";
import type { NewEvent, Store } from "../../src/core/ports/store.ts";
import type { WorkDesk, WorkerFacts } from "../../src/core/ports/work-desk.ts";
import type { DeskDeps } from "../../src/dispatch/desk/desk-deps.ts";
import { createWorkDesk } from "../../src/dispatch/desk/work-desk.ts";
import { openPgBossQueue } from "../../src/dispatch/pg-boss/pg-boss-dispatcher.ts";
import { createTreeLimits } from "../../src/engine/tree-limits.ts";
import { createWorkLink, type WorkLink } from "../../src/hub/work/work-link.ts";
import { listen } from "../../src/runtime/http/listen.ts";
import { systemClock } from "../../src/runtime/time/system-clock.ts";
import { openFileBlobs } from "../../src/stores/blobs/file-blobs.ts";
import { openPostgresStore } from "../../src/stores/postgres/open-store.ts";
import { createHarness } from "./server/app-harness.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Seals nothing, so that a test sees what travels. */
export const CLEAR: Sealer = { seal: (plain) => plain, open: (sealed) => sealed };

export interface WorkHub {
  url: string;
  store: Store;
  desk: WorkDesk;
  /** The dispatcher of the hub itself, which has the database. */
  dispatcher: Dispatcher;
  /** What workers wrote for the first time. */
  written: NewEvent[];
  close: () => Promise<void>;
}

export async function openWorkHub(
  databaseUrl: string,
  options: {
    clock?: Clock;
    sealer?: Sealer;
    artifactLimits?: DeskDeps["artifactLimits"];
    nextAttempt?: DeskDeps["nextAttempt"];
  } = {},
): Promise<WorkHub> {
  const clock = options.clock ?? systemClock;
  const shared = { clock, agentConcurrency: 100 };
  const queue = await openPgBossQueue({
    ...shared,
    url: databaseUrl,
    worker: "hub",
    report: () => undefined,
  });
  const store = await openPostgresStore({ url: databaseUrl, queue: queue.queue });
  const dispatcher = queue.dispatcher(store);
  const written: NewEvent[] = [];
  const trees = createTreeLimits({ store, clock, report: () => undefined });
  const desk = createWorkDesk({
    ...shared,
    store,
    lent: queue.lent,
    trees,
    sealer: options.sealer ?? CLEAR,
    blobs: await openFileBlobs(temporaryFolder("work-hub")),
    artifactLimits: options.artifactLimits ?? { fileBytes: 1000, runBytes: 2000, count: 10 },
    runKey: () => Promise.resolve(Buffer.alloc(32, 7)),
    nextAttempt: options.nextAttempt ?? (() => undefined),
    onWritten: (_run, events) => void written.push(...events),
  });
  const { app } = createHarness({ desk });
  const server = await listen({ app, host: "127.0.0.1", port: 0 });
  return {
    url: server.url,
    store,
    desk,
    dispatcher,
    written,
    async close() {
      trees.close();
      await server.close(0);
      await dispatcher.close();
      await store.close();
      await queue.close();
    },
  };
}

export const FACTS: WorkerFacts = {
  version: "0",
  labels: [],
  slots: 1,
  busy: 0,
  draining: false,
  started_at: new Date(0).toISOString(),
};

/** A worker's connection; `wrap` stands between it and the hub. */
export function linkTo(
  url: string,
  worker: string,
  options: { clock?: Clock; wrap?: (client: HttpClient) => HttpClient; onRefused?: () => void } = {},
): WorkLink {
  const client = createHttpClient({ url });
  return createWorkLink({
    client: options.wrap?.(client) ?? client,
    worker: `${worker}:1`,
    clock: options.clock ?? systemClock,
    onRefused: options.onRefused ?? (() => undefined),
  });
}
