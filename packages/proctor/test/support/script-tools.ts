// Script tools for tests: from the real parts on a directory of their own, in this process or behind a real server.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import { openScriptTools } from "../../src/cli/compose/open-script-tools.ts";
import type { Config } from "../../src/cli/config/load-config.ts";
import type { Environments } from "../../src/core/ports/environments.ts";
import type { OpenedScriptTools } from "../../src/core/ports/script-tools.case.ts";
import type { ScriptTools } from "../../src/core/ports/script-tools.ts";
import { createHttpPlatform } from "../../src/hub/http-platform.ts";
import { listen } from "../../src/runtime/http/listen.ts";
import { createApp } from "../../src/server/app.ts";
import { createAuth } from "../../src/server/auth.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open-store.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { createHubDouble } from "./cli/program-double.ts";
import { noEnvironments } from "./test-hub.ts";

interface OpenedLocally extends OpenedScriptTools {
  reopen(): Promise<ScriptTools & { close(): Promise<void> }>;
}

export async function openLocalScriptTools(
  environments: Environments = noEnvironments(),
): Promise<OpenedLocally> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-script-tools-"));
  // They look at nothing else of the configuration.
  const config = { dataDir: folder, artifactsDir: join(folder, "artifacts") } as Config;
  const open = async () => {
    const store = await openSqliteStore({ file: join(folder, "proctor.db") });
    const tools = openScriptTools(config, { store, environments, hubId: "hub-of-a-test" });
    async function close(): Promise<void> {
      await tools.close();
      await store.close();
    }
    return { ...tools, close };
  };
  let tools = await open();
  return {
    tools,
    async reopen() {
      await tools.close();
      return (tools = await open());
    },
    async close() {
      await tools.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface ServedScriptTools extends OpenedScriptTools {
  url: string;
}

export async function openServedScriptTools(environments?: Environments): Promise<ServedScriptTools> {
  const local = await openLocalScriptTools(environments);
  let { tools } = local;
  const host = "127.0.0.1";
  const later: ScriptTools = {
    put: (...given) => tools.put(...given),
    get: (name) => tools.get(name),
    list: (page) => tools.list(page),
    remove: (...given) => tools.remove(...given),
    call: (...given) => tools.call(...given),
  };
  const app = createApp({
    hub: createHubDouble(),
    ready: async () => undefined,
    auth: createAuth({ tokens: [], host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    recordsOf: () => Promise.resolve([]),
    until: () => Promise.reject(new Error("no run is followed here")),
    platform: { scriptTools: later },
  });
  const server = await listen({ app, host, port: 0 });
  const { scriptTools } = createHttpPlatform({ url: server.url, readSse });
  return {
    tools: scriptTools,
    url: server.url,
    async reopen() {
      tools = await local.reopen();
      return scriptTools;
    },
    async close() {
      await server.close(1000);
      await local.close();
    },
  };
}
