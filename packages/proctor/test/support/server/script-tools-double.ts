// Script tools that are kept in memory and answer their input: for tests of the API around them.
import { ProctorError } from "../../../src/core/errors.ts";
import type { ScriptTools } from "../../../src/core/ports/script-tools.ts";
import type { ScriptTool } from "../../../src/core/script-tool.ts";

export function createScriptToolsDouble(): ScriptTools {
  const kept = new Map<string, ScriptTool>();
  const at = "2026-01-01T00:00:00.000Z";
  const get = async (name: string): Promise<ScriptTool> => {
    const tool = kept.get(name);
    if (tool === undefined) throw new ProctorError("TOOL_NOT_FOUND", `there is no tool named ${name}`);
    return tool;
  };
  return {
    async put(tool) {
      const whole = { ...tool, sha256: "0".repeat(64), created_at: at, updated_at: at };
      kept.set(tool.name, whole);
      return whole;
    },
    get,
    list: async () => ({ items: [...kept.values()], next_cursor: null }),
    async remove(name) {
      await get(name);
      kept.delete(name);
    },
    call: async (_name, input) => ({ ok: true, output: input, duration_ms: 0, log: [] }),
  };
}
