// Puts the system's own files back as they are in the root, and takes away what was added to be run in their place, before a verifier
// begins. Everything else stays as it was left.
import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import {
  guardOf,
  isHarmful,
  LOADER_CACHE,
  pythonLibrary,
  type GuardedPlaces,
} from "../system/guarded-files.ts";
import { keepsLibraries } from "../system/loader-cache.ts";
import { createBaseView, type FileState } from "./base-view.ts";
import { copyInside, removeInside } from "./change-inside.ts";
import type { UpperListing } from "./upper-reader.ts";

interface RestoreOptions extends GuardedPlaces {
  /** Path on this machine at which the environment's root is seen; nothing runs in it. */
  root: string;
  /** Path at which the original root is seen. */
  base: string;
  /** The files that were written over the root. */
  listing: UpperListing;
}

/** Bytes of the largest file whose content is examined; larger ones are not start files. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
/** Matches files that Python writes for itself, which are not reported. */
const COMPILED = /\/__pycache__(?:\/|$)/;

/** Resolves with the paths that were restored. */
export async function restoreSystem(options: RestoreOptions): Promise<string[]> {
  const { root, base, listing } = options;
  const view = createBaseView(base);
  const done = new Set<string>();

  async function isGuarded(path: string, type: string, was: FileState | undefined): Promise<boolean> {
    const guard = guardOf(path, type, options);
    if (guard === "no" || (guard === "changed" && was === undefined)) return false;
    // A Python that the root does not have belongs to the agent.
    const library = pythonLibrary(path);
    if (library !== undefined && (await view.look(library))?.type !== "directory") return false;
    if (guard !== "content") return true;
    if (type !== "file") return path === LOADER_CACHE || type === "link";
    return path === LOADER_CACHE
      ? was?.type === "file" && !keepsLibraries(readFileSync(`${base}${path}`), contentOf(root, path))
      : isHarmful(path, contentOf(root, path).toString("latin1"));
  }

  function putBack(path: string, was: FileState | undefined): void {
    if (was === undefined) removeInside(root, path);
    else copyInside(root, path, base);
    done.add(path);
  }

  /** Restores what the root has below a directory that was removed or made opaque. */
  async function putBackBelow(dir: string): Promise<void> {
    for (const name of await view.names(dir)) {
      const path = `${dir}/${name}`;
      const was = await view.look(path);
      if (was === undefined || listing.entries.has(path)) continue;
      if (was.type === "directory") await putBackBelow(path);
      else if (await isGuarded(path, "removed", was)) putBack(path, was);
    }
  }

  // Parents come first, because what is below a restored or removed directory is done.
  const entries = [...listing.entries.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, type, size } of entries) {
    if (isBelow(path, done)) continue;
    const was = await view.look(path);
    if (type === "whiteout" && was === undefined) continue;
    if (type === "directory" && was?.type === "directory") {
      if (listing.opaque.has(path)) await putBackBelow(path);
    } else if (was?.type === "directory") {
      await putBackBelow(path);
    } else if (size > MAX_CONTENT_BYTES && guardOf(path, type, options) === "content") {
      putBack(path, was);
    } else if (await isGuarded(path, type, was)) {
      putBack(path, was);
    }
  }
  return [...done].filter((path) => !COMPILED.test(path)).toSorted();
}

function isBelow(path: string, places: ReadonlySet<string>): boolean {
  for (let above = dirname(path); above !== "/"; above = dirname(above)) if (places.has(above)) return true;
  return false;
}

/** Reads a file. The listing guarantees that neither the path nor a directory above it is a link. */
function contentOf(root: string, path: string): Buffer {
  return readFileSync(`${root}${path}`);
}
