// What a suite has in a file of its own or in place: a file is read once however many tests name it.
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { quote } from "../../core/printable.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import { reporter, type Spot } from "./context.ts";

export type NamedEntry<T> = { set: T } | { file: string; shown: string };

/** Resolves the entry. A file that does not exist is reported. */
export function placeNamed<T extends object>(
  entry: string | T | undefined,
  spot: Spot,
): NamedEntry<T> | undefined {
  if (entry === undefined) return undefined;
  if (typeof entry !== "string") return { set: entry };
  const { folder, file: above } = spot.source;
  const file = resolve(folder, entry);
  if (!existsSync(file)) {
    reporter(spot)([], `there is no file ${quote(entry)}`, "the path is taken from the folder of this file");
  }
  return { file, shown: isAbsolute(entry) ? entry : join(dirname(above), entry) };
}

/** Loads the files; returns a function that gets the content of an entry. Problems name a file relative to the suite's own. */
export async function loadNamedFiles<T>(
  entries: Iterable<NamedEntry<T> | undefined>,
  load: (file: string, shown: string) => Promise<T>,
  problems: Problem[],
): Promise<(entry: NamedEntry<T> | undefined) => T | undefined> {
  const contents = new Map<string, T>();
  const tried = new Set<string>();
  for (const entry of entries) {
    if (!entry || !("file" in entry) || tried.has(entry.file) || !existsSync(entry.file)) continue;
    tried.add(entry.file);
    try {
      contents.set(entry.file, await load(entry.file, entry.shown));
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      problems.push(...problemsIn(error, entry.shown));
    }
  }
  return (entry) => entry && ("set" in entry ? entry.set : contents.get(entry.file));
}

/** Returns the problems of a file that the suite names, each with its place. */
export function problemsIn({ code, details, message }: ProctorError, file: string): Problem[] {
  // The details of this code are the problems that problemsError put there.
  if (code === "SUITE_INVALID" && Array.isArray(details)) return details as Problem[];
  const [what = "", hint] = message.split("\n   ");
  return [
    { file, line: 1, col: 1, message: what.replace(`${file}  `, ""), ...(hint !== undefined && { hint }) },
  ];
}
