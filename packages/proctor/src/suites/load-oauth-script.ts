// Reads the file of a mock OAuth server: every problem with its place.
import type { OAuthScript } from "../core/oauth-script.ts";
import { loadYaml, type NamedFileOptions } from "../runtime/yaml/load-yaml.ts";
import { oauthScriptSchema } from "../runtime/schemas/oauth-script.ts";

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export function loadOAuthScript(file: string, options: NamedFileOptions = {}): Promise<OAuthScript> {
  return loadYaml(file, oauthScriptSchema, { code: "SUITE_INVALID", allowEmpty: true, ...options });
}
