// Reads the script of a mock LLM: every problem with its place.
import type { LlmScript } from "../core/llm-script.ts";
import { llmScriptSchema } from "./llm-script.ts";
import { loadYaml, type NamedFileOptions } from "../runtime/yaml/load-yaml.ts";

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export function loadLlmScript(file: string, options: NamedFileOptions = {}): Promise<LlmScript> {
  return loadYaml(file, llmScriptSchema, { code: "SUITE_INVALID", ...options });
}
