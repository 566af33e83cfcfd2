// A puppet that is a script tool of the hub: what it says is its log, its response is what it returns.
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ScriptResult } from "../../../src/core/script-tool.ts";
import type { Play, Stage } from "./puppet.ts";

export function scriptToolStage(): Stage {
  const plays = new Map<string, Play>();

  function call(name: string, input: unknown, signal: AbortSignal): Promise<ScriptResult> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // The signal's reason is what whoever waits for a tool is told.
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      const log: string[] = [];
      const respond = async (output: JsonObject | string): Promise<void> =>
        resolve({ ok: true, output, duration_ms: 1, log });
      void plays.get(name)?.({
        request: input as JsonObject,
        event: async (message) => void log.push(JSON.stringify(message)),
        answer: respond,
        respond,
        vanish: () => reject(new Error("a tool of the hub cannot vanish")),
        stopped: new Promise((stop) => signal.addEventListener("abort", () => stop())),
      });
    });
  }

  return {
    name: "script tools",
    carriesText: true,
    driverOptions: { scriptTools: { call } },
    async raise(play) {
      const name = randomUUID();
      plays.set(name, play);
      const spec = { protocol: "script-tool", transport: "script-tool", url: `script-tool:${name}` };
      return { spec, close: async () => void plays.delete(name) };
    },
  };
}
