// The script tools of this process, from their concrete parts. They are loaded when a client asks for one, and the sandbox and the
// environments when a tool needs them: most commands need none of it.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Environments } from "../../core/ports/environments.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import type { ScriptTool } from "../../core/script-tool.ts";
import type { Store } from "../../core/ports/store.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { Sandbox } from "../../script-tools/sandbox/sandbox-pool.ts";
import type { Config } from "../config/load-config.ts";

export interface ScriptToolsDeps {
  store: Pick<Store, "scriptTools">;
  environments: Environments;
  /** Id of the hub, which marks the programs. */
  hubId: string;
  /** Called after a tool was put, and after one was removed. */
  onChange?: (name: string, tool: ScriptTool | undefined) => void;
}

export function openScriptTools(
  config: Config,
  deps: ScriptToolsDeps,
): ScriptTools & { close(): Promise<void> } {
  let sandbox: Promise<Sandbox> | undefined;
  let loading: Promise<ScriptTools> | undefined;
  const openSandbox = (): Promise<Sandbox> => (sandbox ??= loadSandbox());
  const tools = (): Promise<ScriptTools> => (loading ??= load(config, deps, openSandbox));
  return {
    async put(...given) {
      const kept = await (await tools()).put(...given);
      deps.onChange?.(kept.name, kept);
      return kept;
    },
    get: async (name) => (await tools()).get(name),
    list: async (page) => (await tools()).list(page),
    async remove(name, caller) {
      await (await tools()).remove(name, caller);
      deps.onChange?.(name, undefined);
    },
    call: async (...given) => (await tools()).call(...given),
    close: async () => (await sandbox)?.close(),
  };
}

async function load(
  { dataDir, artifactsDir }: Config,
  { store, environments, hubId }: ScriptToolsDeps,
  sandbox: () => Promise<Sandbox>,
): Promise<ScriptTools> {
  const { createScriptTools } = await import("../../script-tools/script-tools.ts");
  const { openSchemaFits } = await import("./open-schema-fits.ts");
  let scratch: Promise<string> | undefined;
  return createScriptTools({
    store: store.scriptTools,
    clock: systemClock,
    fits: openSchemaFits(),
    sandbox,
    scratch: () => (scratch ??= emptyFolder(join(dataDir, "script-tools"))),
    async openPlace(request) {
      const { createScriptPlaces } = await import("./script-places.ts");
      return createScriptPlaces({ environments, hubId, hidden: [dataDir, artifactsDir] })(request);
    },
  });
}

/** Empties the folder of what a killed process left in it: a data directory has one writer. */
async function emptyFolder(path: string): Promise<string> {
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

async function loadSandbox(): Promise<Sandbox> {
  const { createSandboxPool } = await import("../../script-tools/sandbox/sandbox-pool.ts");
  return createSandboxPool();
}
