// A registry on a database of its own, from the real parts, with a clock that the test moves. It can be closed, or killed, and opened again.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { LiveRegistry } from "../../src/agents/live-registry.ts";
import { openRegistry, type OpenRegistryDeps } from "../../src/cli/compose/open-registry.ts";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { Caller } from "../../src/core/caller.ts";
import type { Registry } from "../../src/core/ports/registry.ts";
import type { Store } from "../../src/core/ports/store.ts";
import { createHttpPlatform } from "../../src/hub/http-platform.ts";
import { checkOptions, createDriverLookup } from "../../src/protocols/registry.ts";
import { listen } from "../../src/runtime/http/listen.ts";
import { createApp } from "../../src/server/app.ts";
import { createAuth } from "../../src/server/auth.ts";
import { openSealer } from "../../src/stores/sealer.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open-store.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { createHubDouble } from "./server/hub-double.ts";
import { placeEmptyDatabase } from "./stores/empty-database.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface TestRegistry {
  registry: LiveRegistry;
  store: Store;
  clock: ManualClock;
  problems: unknown[];
  /** Ends the hub as a crash does: what was not flushed is lost. Opens another on the same database. */
  crash(): Promise<TestRegistry>;
  close(): Promise<void>;
}

export interface TestRegistryOptions extends Partial<Pick<OpenRegistryDeps, "tokens" | "authority">> {
  clock?: ManualClock;
  folder?: string;
  /** In place of a SQLite database in the folder. */
  store?: Store;
  /** The address that the hub is bound to. */
  apiHost?: string;
  agentHosts?: string[];
}

export async function openTestRegistry(options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const { clock = createManualClock(), apiHost = "127.0.0.1", agentHosts = [] } = options;
  const folder = options.folder ?? temporaryFolder("registry");
  const file = join(folder, "proctor.db");
  if (options.folder === undefined) await placeEmptyDatabase(file);
  const store = options.store ?? (await openSqliteStore({ file }));
  const sealer = await openSealer(join(folder, "seal.key"));
  const problems: unknown[] = [];
  const registry = openRegistry(
    { apiHost, agentHosts },
    {
      ...options,
      store,
      sealer,
      clock,
      drivers: createDriverLookup({ hubId: "test" }),
      checkOptions,
      report: (problem) => problems.push(problem),
    },
  );
  await registry.start();
  return {
    registry,
    store,
    clock,
    problems,
    async crash() {
      await store.close();
      return openTestRegistry({ ...options, clock, folder });
    },
    async close() {
      await registry.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface ServedRegistry extends Omit<TestRegistry, "registry" | "crash"> {
  /** The same registry, over HTTP. */
  registry: Registry;
  url: string;
}

/** `caller` says who asks, as the authority would. */
export async function openServedRegistry(
  options: TestRegistryOptions & { caller?: () => Caller } = {},
): Promise<ServedRegistry> {
  const local = await openTestRegistry(options);
  const hub = createHubDouble();
  const app = createApp({
    hub,
    ready: () => Promise.resolve(),
    auth: createAuth({ tokens: [], host: "127.0.0.1" }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    platform: { registry: local.registry },
  });
  const server = await listen({ app, host: "127.0.0.1", port: 0 });
  return {
    ...local,
    url: server.url,
    registry: createHttpPlatform({ url: server.url, readSse }).registry,
    async close() {
      await server.close(1000);
      await local.close();
    },
  };
}
