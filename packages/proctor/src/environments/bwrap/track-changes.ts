// What differs from an environment's beginning: what was written, compared with how the same paths were when it began.
import { dirname } from "node:path/posix";
import type { FileChange } from "../../core/environment.ts";
import { createBaseView, type FileState } from "./base-view.ts";
import type { UpperListing, UpperReader } from "./upper-reader.ts";

/** Lists changes since `beginning`, the files that were written before, if any. `own` are directories made for the environment. */
export async function listChanges(
  reader: UpperReader,
  beginning: UpperListing | undefined,
  own: ReadonlySet<string>,
): Promise<FileChange[]> {
  const now = await reader.list();
  const root = createBaseView(reader.base);
  const changes = new Map<string, FileChange>();

  /** Resolves with the state of a path at the beginning. */
  async function before(path: string): Promise<FileState | undefined> {
    const known = beginning?.entries.get(path);
    if (known !== undefined) return known.type === "whiteout" ? undefined : known;
    return beginning !== undefined && isHidden(beginning, path) ? undefined : root.look(path);
  }

  function removed(path: string, was: FileState): void {
    if (!own.has(path)) changes.set(path, { path, change: "removed", type: typeOf(was) });
  }

  for (const [path, entry] of now.entries) {
    const was = await before(path);
    if (entry.type === "whiteout") {
      if (was !== undefined) removed(path, was);
    } else if (was === undefined) {
      if (!(own.has(path) && entry.type === "directory")) changes.set(path, describe(path, "added", entry));
    } else if (!same(was, entry)) {
      changes.set(path, describe(path, "modified", entry));
    }
  }
  // What an opaque directory hides was removed, as was what no longer exists at all.
  for (const path of now.opaque) {
    if (beginning?.opaque.has(path) === true || (await before(path))?.type !== "directory") continue;
    for (const name of await root.names(path)) {
      const child = `${path}/${name}`;
      const was = now.entries.has(child) ? undefined : await before(child);
      if (was !== undefined) removed(child, was);
    }
  }
  for (const [path, was] of beginning?.entries ?? []) {
    const parent = dirname(path);
    if (was.type === "whiteout" || now.entries.has(path)) continue;
    if (parent === "/" || now.entries.get(parent)?.type === "directory") removed(path, was);
  }
  return [...changes.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a written entry hides what the root has there. */
function isHidden({ entries, opaque }: UpperListing, path: string): boolean {
  for (let above = dirname(path); above !== "/"; above = dirname(above)) {
    const parent = entries.get(above);
    if (opaque.has(above) || (parent !== undefined && parent.type !== "directory")) return true;
  }
  return false;
}

function describe(path: string, change: FileChange["change"], state: FileState): FileChange {
  const type = typeOf(state);
  return {
    path,
    change,
    type,
    ...(type === "file" && { size_bytes: state.size }),
    ...(type !== "link" && { mode: state.mode }),
  };
}

function typeOf({ type }: FileState): FileChange["type"] {
  return type === "whiteout" ? "other" : type;
}

/** Whether two states are the same. Only the mode of a directory counts, because each file that comes or goes changes its time. */
function same(a: FileState, b: FileState): boolean {
  if (a.type !== b.type || a.mode !== b.mode || a.uid !== b.uid || a.gid !== b.gid) return false;
  return a.type === "directory" || (a.size === b.size && Math.abs(a.mtime - b.mtime) < 0.001);
}
