// A hub in the test's process whose terminals are real environments of one kind.
import { join } from "node:path";
import { openTestHub, type TestHub } from "../test-hub.ts";
import type { EnvironmentKind } from "../../../src/core/environment.ts";
import type { RunEvent } from "../../../src/core/event.ts";
import type { AgentSpec } from "../../../src/core/agent.ts";
import type { RunRequest } from "../../../src/core/ports/hub.ts";
import type { Run } from "../../../src/core/run.ts";
import { openEnvironments } from "../../../src/environments/open-environments.ts";
import type { Provider } from "../../../src/environments/provider.ts";

export interface TermHub extends TestHub {
  /** Runs an agent to its end; `request` is the rest of the request. */
  play(agent: AgentSpec, request?: Partial<RunRequest>): Promise<{ run: Run; log: RunEvent[] }>;
}

type CreateProvider = (options: { stateDir: string }) => Provider;

/** Resolves with the reason when this machine has no such environment. */
export async function openTermHub(kind: EnvironmentKind, folder: string): Promise<TermHub | string> {
  const create = await loadProvider(kind);
  if (create === undefined) return "it is not part of this checkout";
  const provider = create({ stateDir: join(folder, "environments") });
  const report = await provider.probe();
  if (!report.available) return report.detail;
  const environments = openEnvironments({
    providers: [[kind, () => Promise.resolve(provider)]],
    unsafeLocal: true,
    buildNetwork: "none",
    build: () => Promise.reject(new Error("nothing is built here")),
    toolchain: () => Promise.reject(new Error("there are no tools here")),
  });
  const hub = await openTestHub({ folder, environments });
  return {
    ...hub,
    async play(agent, request = {}) {
      const { environment, ...options } = request.options ?? {};
      const network = kind === "local" ? { network: "host" as const } : {};
      const { run } = await hub.hub.submit({
        agent,
        task: { description: "Create hello.txt with 'Hello, world!'" },
        ...request,
        options: { llm: { enabled: false }, ...options, environment: { kind, ...network, ...environment } },
      });
      return { run: await hub.ended(run.id), log: await hub.log(run.id) };
    },
    async close() {
      await hub.close();
      await environments.close();
    },
  };
}

async function loadProvider(kind: EnvironmentKind): Promise<CreateProvider | undefined> {
  if (kind === "local")
    return (await import("../../../src/environments/local/provider.ts")).createLocalProvider;
  if (kind === "bwrap")
    return (await import("../../../src/environments/bwrap/provider.ts")).createBwrapProvider;
  return undefined;
}
