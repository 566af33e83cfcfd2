// What `proctor conform --as-agent` needs: agents on sockets of their own, and the client as a program of this machine.
import type { Conformance } from "../../conformance/conformance.ts";
import { createClientConformance } from "../../doubles/examiner/examine-client.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { setVariables } from "./set-variables.ts";
import { startScriptedAgent } from "./start-scripted-agent.ts";

export interface ClientPlace {
  /** The directory in which the client is started. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

export function clientConformance({ cwd, env }: ClientPlace): Conformance {
  const own = setVariables(env);
  return createClientConformance({
    async serve({ profile = "open", faults = [], card }, script, places) {
      const started = await startScriptedAgent({
        port: 0,
        profile,
        faults,
        script: { fallback: script },
        ...(card && { shapeCard: (usual) => card(usual, places()) }),
      });
      return { url: started.url, captured: started.agent.captured, close: () => started.close() };
    },
    start: (command, more) => startHere({ command, cwd, env: { ...own, ...more } }),
  });
}
