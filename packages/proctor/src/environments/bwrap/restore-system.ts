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
  /** The path of this machine at which the environment's root is seen; nothing runs in it. */
  root: string;
  /** The path at which the root is seen as it was before. */
  base: string;
  /** The files that were written over the root. */
  listing: UpperListing;
}

/** More is no start file. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
/** Python writes them for itself: not worth a word. */
const COMPILED = /\/__pycache__(?:\/|$)/;

/** Resolves with the paths that are other than they were left. */
export async function restoreSystem(options: RestoreOptions): Promise<string[]> {
  const { root, base, listing } = options;
  const view = createBaseView(base);
  const done = new Set<string>();

  async function isGuarded(path: string, type: string, was: FileState | undefined): Promise<boolean> {
    const guard = guardOf(path, type, options);
    if (guard === "no" || (guard === "changed" && was === undefined)) return false;
    // A Python that the root does not have is the agent's own.
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

  /** What the root has below a directory that is gone, or shows nothing of it any more. */
  async function putBackBelow(dir: string): Promise<void> {
    for (const name of await view.names(dir)) {
      const path = `${dir}/${name}`;
      const was = await view.look(path);
      if (was === undefined || listing.entries.has(path)) continue;
      if (was.type === "directory") await putBackBelow(path);
      else if (await isGuarded(path, "removed", was)) putBack(path, was);
    }
  }

  // Those above first: what was put back or taken away as a whole is done.
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

/** Not behind a link: what was listed as a file is one, and so are the directories above it. */
function contentOf(root: string, path: string): Buffer {
  return readFileSync(`${root}${path}`);
}
