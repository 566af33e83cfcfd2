// Reads a file of tools: every problem with its place, every path in it taken from the file's own folder.
import { dirname, resolve } from "node:path";
import type { ToolSet } from "../core/tools.ts";
import { loadYaml } from "../runtime/yaml/load-yaml.ts";
import { placeTools, toolSetSchema } from "./tool-set.ts";
import type { Variables } from "../runtime/yaml/variables.ts";

export interface LoadToolsOptions {
  /** For `${NAME}` in strings: usually the environment. */
  variables?: Variables;
  /** The file as problems name it; as it was given when absent. */
  displayName?: string;
}

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export async function loadTools(file: string, options: LoadToolsOptions = {}): Promise<ToolSet> {
  const { variables = {}, displayName } = options;
  const set = await loadYaml(file, toolSetSchema, {
    code: "SUITE_INVALID",
    variables,
    ...(displayName !== undefined && { displayName }),
  });
  return placeTools(set, dirname(resolve(file)));
}
