// Script tools as a store keeps them: a part of a Store. Promises that resolve mean: committed to disk.
import type { Page, PageRequest } from "../page.ts";
import type { ScriptTool } from "../script-tool.ts";

export interface ScriptToolStore {
  /** Keeps the `created_at` of a tool that it replaces. Returns what is kept. Throws TOOL_EXISTS unless `replace`. */
  put(tool: ScriptTool, replace: boolean): Promise<ScriptTool>;
  read(name: string): Promise<ScriptTool | undefined>;
  /** Lists tools in the order of their names. */
  list(page: PageRequest): Promise<Page<ScriptTool>>;
  /** Removes the tool; resolves with whether there was one. */
  remove(name: string): Promise<boolean>;
}
