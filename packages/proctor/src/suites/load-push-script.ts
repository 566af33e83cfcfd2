// Reads the file of a receiver of push notifications: every problem with its place.
import type { PushScript } from "../core/push-script.ts";
import { loadYaml, type NamedFileOptions } from "../runtime/yaml/load-yaml.ts";
import { pushScriptSchema } from "../runtime/schemas/push-script.ts";

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export function loadPushScript(file: string, options: NamedFileOptions = {}): Promise<PushScript> {
  return loadYaml(file, pushScriptSchema, { code: "SUITE_INVALID", allowEmpty: true, ...options });
}
