// Reads a file of tools: every problem with its place, every path in it taken from the file's own folder.
import { dirname, resolve } from "node:path";
import type { ToolSet } from "../core/tools.ts";
import { loadYaml, type NamedFileOptions } from "../runtime/yaml/load-yaml.ts";
import { placeTools, toolSetSchema } from "../runtime/schemas/tool-set.ts";

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export async function loadTools(file: string, options: NamedFileOptions = {}): Promise<ToolSet> {
  const set = await loadYaml(file, toolSetSchema, { code: "SUITE_INVALID", ...options });
  return placeTools(set, dirname(resolve(file)));
}
