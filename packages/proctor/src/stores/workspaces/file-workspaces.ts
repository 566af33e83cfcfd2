// Workspaces as directories, one per run, under one root that is ours.
import { mkdirSync, realpathSync } from "node:fs";
import { chmod, cp, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { Workspace, Workspaces } from "../../core/ports/workspaces.ts";
import { findInside } from "./find-inside.ts";
import { listMatching } from "./list-matching.ts";

export function openWorkspaces(folder: string): Workspaces {
  const kept = createHome(`${folder}-kept`);
  const passing = createHome(folder);

  return {
    async create(runId, { fixture, keep = false }) {
      if (!/^[\w-]+$/.test(runId)) throw new Error(`${runId} is no id of a run`);
      const path = join(keep ? kept() : passing(), runId);
      await mkdir(path, { mode: 0o700 });
      if (fixture !== undefined) await fill(path, fixture);
      return workspace(path, keep);
    },
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      await Promise.all(names.map((name) => removeTree(join(folder, name))));
    },
  };
}

/** Links are copied as links: what they point at is not. */
async function fill(folder: string, fixture: string): Promise<void> {
  try {
    await cp(fixture, folder, { recursive: true, verbatimSymlinks: true, errorOnExist: false });
  } catch (cause) {
    await removeTree(folder);
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ProctorError("FILE_UNREADABLE", `the fixture ${fixture} cannot be copied: ${why}`, { cause });
  }
}

/** Made when the first run needs it: who only reads makes nothing. Without links, so that paths can be compared. */
function createHome(folder: string): () => string {
  let root: string | undefined;
  return () => {
    if (root !== undefined) return root;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return (root = realpathSync(folder));
  };
}

function workspace(path: string, keep: boolean): Workspace {
  return {
    path,
    find: (name) => findInside(path, name),
    list: (patterns, limit) => listMatching(path, patterns, limit),
    remove: async () => (keep ? undefined : removeTree(path)),
  };
}

/** Follows no link. An agent may have locked its folders: they are unlocked, and it is tried once more. */
async function removeTree(path: string): Promise<void> {
  // Most agents leave theirs empty.
  if (
    await rmdir(path).then(
      () => true,
      () => false,
    )
  )
    return;
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    await unlock(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(join(folder, entry.name));
  }
}
