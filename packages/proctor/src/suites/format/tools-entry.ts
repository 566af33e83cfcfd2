// What `tools` names: a set that stands in the suite, or a file, which is read once however many tests name it.
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { ToolSet } from "../../core/tools.ts";
import { loadTools } from "../load-tools.ts";
import { quote } from "../../core/printable.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import { placeTools as placeSet } from "../../runtime/schemas/tool-set.ts";
import type { Variables } from "../../runtime/yaml/variables.ts";
import { reporter, type Spot } from "./context.ts";

export type ToolsEntry = { set: ToolSet } | { file: string; shown: string };

/** Resolves the entry. A file that does not exist is reported. */
export function placeTools(entry: string | ToolSet | undefined, spot: Spot): ToolsEntry | undefined {
  if (entry === undefined) return undefined;
  const { folder, file: above } = spot.source;
  if (typeof entry !== "string") return { set: placeSet(entry, folder) };
  const file = resolve(folder, entry);
  if (!existsSync(file)) {
    reporter(spot)([], `there is no file ${quote(entry)}`, "the path is taken from the folder of this file");
  }
  return { file, shown: isAbsolute(entry) ? entry : join(dirname(above), entry) };
}

/** Loads the tool files, by path. Problems name a file relative to the suite's own. */
export async function loadToolFiles(
  entries: Iterable<ToolsEntry>,
  variables: Variables,
  problems: Problem[],
): Promise<ReadonlyMap<string, ToolSet>> {
  const sets = new Map<string, ToolSet>();
  const tried = new Set<string>();
  for (const entry of entries) {
    if (!("file" in entry) || tried.has(entry.file) || !existsSync(entry.file)) continue;
    tried.add(entry.file);
    try {
      sets.set(entry.file, await loadTools(entry.file, { variables, displayName: entry.shown }));
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      problems.push(...problemsIn(error, entry.shown));
    }
  }
  return sets;
}

/** What a file that the suite names has wrong, each with its place. */
export function problemsIn({ code, details, message }: ProctorError, file: string): Problem[] {
  // The details of this code are the problems that problemsError put there.
  if (code === "SUITE_INVALID" && Array.isArray(details)) return details as Problem[];
  const [what = "", hint] = message.split("\n   ");
  return [
    { file, line: 1, col: 1, message: what.replace(`${file}  `, ""), ...(hint !== undefined && { hint }) },
  ];
}
