// A directory as a workspace: no path of a request leads out of it.
import type { Workspace } from "../../core/ports/workspaces.ts";
import { findChanged, markFiles } from "./find-changed.ts";
import { findInside, kindInside } from "./find-inside.ts";
import { countMatching, listMatching } from "./list-matching.ts";

/** `path` is absolute and has no links in it, so that paths can be compared. */
export function workspaceAt(path: string, remove: () => Promise<void>): Workspace {
  return {
    path,
    find: (name) => findInside(path, name),
    list: (patterns, limit) => listMatching(path, patterns, limit),
    mark: () => markFiles(path),
    changed: (since, patterns, limit) => findChanged(path, since, patterns, limit),
    kind: (name) => kindInside(path, name),
    count: (folder, pattern) => countMatching(path, folder, pattern),
    remove,
  };
}
