// `collect_files` of a task: which of the files that its agent makes or changes in its workspace become artifacts.
import type { WorkspaceOptions } from "../../../../core/run-options.ts";

const ALL = ["**"];

/** `byDefault` is the value of the hub's configuration. */
export function collectOptions(
  asked: boolean | string[] | null | undefined,
  byDefault: boolean,
): WorkspaceOptions | undefined {
  const files = asked ?? byDefault;
  if (files === false || (files !== true && files.length === 0)) return undefined;
  return { collect_changed: files === true ? ALL : files };
}
