// Script tools: kept by name, and called in their sandbox. In this process (script-tools/), and over HTTP (hub/).
import type { Caller } from "../caller.ts";
import type { Json } from "../json.ts";
import type { Page, PageRequest } from "../page.ts";
import type { NewScriptTool, ScriptResult, ScriptTool } from "../script-tool.ts";

export interface ScriptTools {
  /** Throws INVALID_REQUEST (the schema or the script is wrong), TOOL_EXISTS unless `replace`. */
  put(tool: NewScriptTool, options?: { replace?: boolean }, caller?: Caller): Promise<ScriptTool>;
  /** Throws TOOL_NOT_FOUND. */
  get(name: string): Promise<ScriptTool>;
  list(page: PageRequest): Promise<Page<ScriptTool>>;
  remove(name: string, caller?: Caller): Promise<void>;
  call(name: string, input: Json, signal: AbortSignal): Promise<ScriptResult>;
}
