// The tools of runs, where agents can reach them: on the hub's own port, or for a command without a hub on a port that is
// opened when the first run needs it.
import { baseEnvironment } from "../../channels/process/base-environment.ts";
import { openProcess } from "../../channels/process/open-process.ts";
import type { ToolHost } from "../../core/ports/tool-host.ts";
import type { Environments } from "../../core/ports/environments.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import type { OpenToolPlace, StartProcess } from "../../doubles/tools/tool-process.ts";
import type { Config } from "../config/load-config.ts";
import { serveHost } from "./serve-host.ts";

export interface ServedTools {
  host: ToolHost;
  fetch(request: Request): Promise<Response>;
  /** Sets the address at which agents find the tools. Without it, the first run that has tools opens a port for them. */
  publish(url: string): void;
  close(): Promise<void>;
}

export function serveTools(
  config: Config,
  hubId: string,
  environments?: Environments,
  scripts?: Pick<ScriptTools, "get" | "call">,
): ServedTools {
  const served = serveHost(async (baseUrl) => {
    const { createToolHost } = await import("../../doubles/tools/tool-host.ts");
    return createToolHost({
      allowHosts: config.toolHosts,
      startProcess: startToolProcess(hubId),
      ...(environments && {
        openPlace: openToolPlace(environments, hubId, [config.dataDir, config.artifactsDir]),
      }),
      ...(scripts && { scripts }),
      baseUrl,
    });
  }, config.publicUrl);
  return { ...served, host: { open: async (session) => (await served.load()).open(session) } };
}

/** Programs behind tools are marked like agents, so that a crash leaves none of them behind. */
function startToolProcess(hubId: string): StartProcess {
  return ({ command, env, cwd }) =>
    openProcess({
      command: [...command],
      env: { ...baseEnvironment(), ...env, PROCTOR_HUB_ID: hubId },
      ...(cwd !== undefined && { cwd }),
    });
}

/** Loads environments for tools when a set of tools asks for one. */
function openToolPlace(environments: Environments, hubId: string, hidden: readonly string[]): OpenToolPlace {
  return async (request) => {
    const { createToolPlaces } = await import("./tool-places.ts");
    return createToolPlaces({ environments, hubId, hidden })(request);
  };
}
