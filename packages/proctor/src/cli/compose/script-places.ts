// Environments for the programs of script tools: without a network, with nothing of this machine's but the system and the interpreter.
import { agentMounts } from "../../environments/agent-mounts.ts";
import { agentVariables } from "../../environments/agent-variables.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { uuidV7 } from "../../core/id.ts";
import type { Environments } from "../../core/ports/environments.ts";
import type { OpenProgramPlace } from "../../script-tools/programs/run-program.ts";

interface ScriptPlacesOptions {
  environments: Pick<Environments, "open">;
  /** Id of the hub, which marks the programs. */
  hubId: string;
  /** Absolute paths of the hub's own directories, which no program sees. */
  hidden: readonly string[];
}

const WORKDIR = "/tool";
const DISK_MB = 64;
const PROCESSES = 64;

export function createScriptPlaces({ environments, hubId, hidden }: ScriptPlacesOptions): OpenProgramPlace {
  return async ({ tool: { environment, image, limits }, command, folder, signal }) => {
    const spec: AgentSpec = { protocol: "script", transport: "stdio", command: [...command] };
    const inImage = image !== undefined;
    const kind = inImage ? "container" : environment;
    const place = await environments.open({
      id: `script-${uuidV7()}`,
      role: "agent",
      options: {
        ...(kind !== undefined && { kind }),
        ...(inImage && { image }),
        // None of this can be had on the machine itself, as the operator who allowed `local` knows.
        ...(kind !== "local" && {
          network: "none" as const,
          limits: {
            // Otherwise the environment's own: some machines limit addresses instead of memory, of which Node.js takes gigabytes.
            ...(limits?.memory_mb !== undefined && { memory_mb: limits.memory_mb }),
            disk_mb: DISK_MB,
            processes: PROCESSES,
          },
        }),
        workdir: WORKDIR,
        files: [{ source: folder, target: WORKDIR }],
      },
      ...(!inImage && { mounts: await agentMounts(spec, undefined, hidden) }),
      untracked: true,
      signal,
    });
    const env = { ...(!inImage && agentVariables(spec)), PROCTOR_HUB_ID: hubId };
    return {
      facts: place.facts,
      run: (request) => place.run({ ...request, env: { ...env, ...request.env } }),
      destroy: () => place.destroy(),
    };
  };
}
