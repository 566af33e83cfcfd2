// What `tools` names: a set that stands in the suite, or a file.
import type { ToolSet } from "../../core/tools.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import { placeTools as placeSet } from "../../runtime/schemas/tool-set.ts";
import type { Variables } from "../../runtime/yaml/variables.ts";
import { loadTools } from "../load-tools.ts";
import type { Spot } from "./context.ts";
import { loadNamedFiles, placeNamed, type NamedEntry } from "./named-file.ts";

export type ToolsEntry = NamedEntry<ToolSet>;

/** Resolves the entry. A file that does not exist is reported. */
export function placeTools(entry: string | ToolSet | undefined, spot: Spot): ToolsEntry | undefined {
  const { folder } = spot.source;
  return placeNamed(typeof entry === "object" ? placeSet(entry, folder) : entry, spot);
}

/** Loads the tool files; returns a function that gets the tools of an entry. */
export function loadToolFiles(
  entries: Iterable<ToolsEntry>,
  variables: Variables,
  problems: Problem[],
): Promise<(entry: ToolsEntry | undefined) => ToolSet | undefined> {
  return loadNamedFiles(
    entries,
    (file, displayName) => loadTools(file, { variables, displayName }),
    problems,
  );
}
