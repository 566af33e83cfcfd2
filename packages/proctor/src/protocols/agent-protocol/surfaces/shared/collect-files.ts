// `collect_files` of a task: which of the files that its agent makes or changes in its workspace become artifacts.
import { ProctorError } from "../../../../core/errors.ts";
import type { Json } from "../../../../core/json.ts";
import type { WorkspaceOptions } from "../../../../core/run-options.ts";

const ALL = ["**"];
const MAX_PATTERNS = 100;
const MAX_PATTERN_CHARS = 1000;

/** `field`: what the request calls it. `byDefault`: the hub's own setting. Throws INVALID_REQUEST. */
export function readCollectFiles(
  value: Json | undefined,
  byDefault: boolean,
  field = "collect_files",
): WorkspaceOptions | undefined {
  const asked = value ?? byDefault;
  if (asked === false) return undefined;
  if (asked === true) return { collect_changed: ALL };
  if (Array.isArray(asked) && asked.length <= MAX_PATTERNS && asked.every(isPattern)) {
    return asked.length === 0 ? undefined : { collect_changed: asked };
  }
  const message = `${field} must be true, false, or a list of patterns such as "**/*.md"`;
  throw new ProctorError("INVALID_REQUEST", message, { details: [{ path: field, message }] });
}

function isPattern(value: Json): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_PATTERN_CHARS;
}
