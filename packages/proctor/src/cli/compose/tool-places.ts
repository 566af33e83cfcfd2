// Environments for the programs behind tools. Such a program sees its folder and nothing else of the machine's that is not the
// system's, writes to /tmp alone, and has the network that its set names.
import { openProcess } from "../../channels/process/open-process.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Environments } from "../../core/ports/environments.ts";
import type { OpenToolPlace } from "../../doubles/tools/tool-process.ts";
import { agentMounts } from "../../environments/agent-mounts.ts";
import { agentVariables } from "../../environments/agent-variables.ts";

interface ToolPlacesOptions {
  environments: Pick<Environments, "open">;
  /** Id of the hub, which marks the programs. */
  hubId: string;
  /** Absolute paths of the hub's own directories, which no tool sees. */
  hidden: readonly string[];
}

export function createToolPlaces({ environments, hubId, hidden }: ToolPlacesOptions): OpenToolPlace {
  return async ({ id, environment: { kind, network, allow_hosts: hosts }, command, cwd, signal }) => {
    const spec: AgentSpec = {
      protocol: "mcp",
      transport: "stdio",
      command: [...command],
      ...(cwd !== undefined && { cwd }),
    };
    const place = await environments.open({
      id,
      role: "agent",
      options: {
        kind,
        network: network ?? "none",
        workdir: cwd ?? "/tmp",
        ...(hosts && { allow_hosts: hosts }),
      },
      mounts: await agentMounts(spec, undefined, hidden),
      readOnly: true,
      signal,
    });
    return {
      startProcess: (program) =>
        openProcess({
          ...program,
          env: { ...agentVariables(spec), ...program.env, PROCTOR_HUB_ID: hubId },
          spawn: (options) => place.start(options),
        }),
      close: () => place.destroy(),
    };
  };
}
