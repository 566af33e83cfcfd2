// Workspaces as directories, one per run, under one root that belongs to the hub.
import { messageOf } from "../../core/message-of.ts";
import { mkdirSync, realpathSync } from "node:fs";
import { cp, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { Workspaces } from "../../core/ports/workspaces.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import { openKept } from "./open-kept.ts";
import { workspaceAt } from "../../runtime/workspaces/workspace-at.ts";

export function openWorkspaces(folder: string): Workspaces {
  const kept = createHome(`${folder}-kept`);
  const passing = createHome(folder);

  return {
    async create(runId, { fixture, keep = false, again = false }) {
      if (!/^[\w-]+$/.test(runId)) throw new Error(`${runId} is no id of a run`);
      const path = join(keep ? kept() : passing(), runId);
      const isNew = mkdirSync(path, { mode: 0o700, recursive: again }) !== undefined || !again;
      if (fixture !== undefined && isNew) await fill(path, fixture);
      return workspaceAt(path, async () => (keep ? undefined : removeTree(path)));
    },
    open: async (path) => workspaceAt(await realpath(path), async () => undefined),
    openKept: (runId) => openKept([`${folder}-kept`, folder], runId),
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      await Promise.all(names.map((name) => removeTree(join(folder, name))));
    },
  };
}

/** Copies links as links, instead of what they point at. */
async function fill(folder: string, fixture: string): Promise<void> {
  try {
    await cp(fixture, folder, { recursive: true, verbatimSymlinks: true, errorOnExist: false });
  } catch (cause) {
    await removeTree(folder);
    const why = messageOf(cause);
    throw new ProctorError("FILE_UNREADABLE", `the fixture ${fixture} cannot be copied: ${why}`, { cause });
  }
}

/** Returns a function that makes the folder when the first run needs it. Its path has no links, so that paths can be compared. */
function createHome(folder: string): () => string {
  let root: string | undefined;
  return () => {
    if (root !== undefined) return root;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return (root = realpathSync(folder));
  };
}
