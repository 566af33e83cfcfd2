// Reads the file of a scripted agent: every problem with its place.
import { loadYaml, type NamedFileOptions } from "../../runtime/yaml/load-yaml.ts";
import type { Codecs } from "./complete-event.ts";
import { scriptSchemas, type ScriptFile } from "./script-schema.ts";

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export function loadScript(
  file: string,
  codecs: Codecs,
  options: NamedFileOptions = {},
): Promise<ScriptFile> {
  return loadYaml(file, scriptSchemas(codecs).file, { code: "SUITE_INVALID", ...options });
}
