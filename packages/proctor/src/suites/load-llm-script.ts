// Reads the script of a mock LLM: every problem with its place.
import type { LlmScript } from "../core/llm-script.ts";
import { llmScriptSchema } from "./llm-script.ts";
import { loadYaml } from "../runtime/yaml/load-yaml.ts";
import type { Variables } from "../runtime/yaml/variables.ts";

export interface LoadLlmScriptOptions {
  /** For `${NAME}` in strings: usually the environment. */
  variables?: Variables;
  /** The file as problems name it; as it was given when absent. */
  displayName?: string;
}

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export function loadLlmScript(file: string, options: LoadLlmScriptOptions = {}): Promise<LlmScript> {
  const { variables = {}, displayName } = options;
  return loadYaml(file, llmScriptSchema, {
    code: "SUITE_INVALID",
    variables,
    ...(displayName !== undefined && { displayName }),
  });
}
