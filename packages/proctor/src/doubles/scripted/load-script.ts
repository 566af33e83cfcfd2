// Reads the file of a scripted agent: every problem with its place.
import type { JsonObject } from "../../core/json.ts";
import { checkValue } from "../../runtime/yaml/findings.ts";
import { problemsError } from "../../runtime/yaml/problem.ts";
import { loadYaml, type NamedFileOptions } from "../../runtime/yaml/load-yaml.ts";
import type { Codecs } from "./complete-event.ts";
import { scriptSchemas, type ScriptFile } from "./script-schema.ts";

/** Reads a script that a program made. Throws SUITE_INVALID with all problems. */
export function readScript(value: JsonObject, codecs: Codecs, name: string): ScriptFile {
  const read = checkValue(scriptSchemas(codecs).file, value);
  if (read.ok) return read.value;
  const problems = read.findings.map(({ message }) => ({ file: name, line: 1, col: 1, message }));
  throw problemsError("SUITE_INVALID", problems);
}

/** Reads the script of a file. Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export function loadScript(
  file: string,
  codecs: Codecs,
  options: NamedFileOptions = {},
): Promise<ScriptFile> {
  return loadYaml(file, scriptSchemas(codecs).file, { code: "SUITE_INVALID", ...options });
}
