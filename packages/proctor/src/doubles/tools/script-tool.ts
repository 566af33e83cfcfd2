// A script tool of the hub as a tool of a run.
import { ProctorError } from "../../core/errors.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import { errorAnswer, type OfferedTool } from "./offered-tool.ts";

/** The store of script tools, which also calls them. */
export type ScriptSource = Pick<ScriptTools, "get" | "call">;

/** Throws TOOL_NOT_FOUND when there is no tool of that name. */
export async function offerScript(name: string, source: ScriptSource | undefined): Promise<OfferedTool> {
  if (source === undefined) {
    throw new ProctorError(
      "NOT_SUPPORTED",
      `"${name}" is a script tool, and there is no hub here that keeps them`,
    );
  }
  const { description, parameters } = await source.get(name);
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters,
    mode: "script",
    async call({ input }, signal) {
      try {
        const result = await source.call(name, input, signal);
        if (result.ok) return { status: "success", output: result.output };
        const { code, message } = result;
        const isOurs = code !== "INVALID_INPUT";
        return errorAnswer(message, isOurs ? "TOOL_ERROR" : "INVALID_REQUEST", { code });
      } catch (error) {
        // The tool was removed meanwhile, or cannot run anywhere: the agent gets an error, and the run goes on.
        if (!ProctorError.is(error) || signal.aborted) throw error;
        return errorAnswer(error.message, "TOOL_ERROR", { code: error.code });
      }
    },
  };
}
