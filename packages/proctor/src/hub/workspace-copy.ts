// A copy of a run's directory, from the tar stream of the hub that has it. The stream is trusted in nothing: no name leaves the
// folder, and links are made last, so that nothing is written through one.
import { createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { WorkspaceView } from "../core/ports/workspaces.ts";
import { readArchive } from "../runtime/archive/read-archive.ts";
import { workspaceAt } from "../runtime/workspaces/workspace-at.ts";

export interface WorkspaceCopy {
  view: WorkspaceView;
  remove(): Promise<void>;
}

export async function copyWorkspace(archive: AsyncIterable<Uint8Array>): Promise<WorkspaceCopy> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "proctor-workspace-")));
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true });
  try {
    await unpack(archive, root);
  } catch (error) {
    await remove();
    throw error;
  }
  return { view: workspaceAt(root, remove), remove };
}

async function unpack(archive: AsyncIterable<Uint8Array>, root: string): Promise<void> {
  const links: { path: string; target: string }[] = [];
  const folders: { path: string; mode: number }[] = [];
  for await (const { header, content } of readArchive(archive)) {
    const path = inside(root, header.name);
    await mkdir(dirname(path), { recursive: true });
    if (header.type === "directory") {
      await mkdir(path, { recursive: true });
      folders.push({ path, mode: header.mode ?? 0o755 });
    } else if (header.type === "symlink") links.push({ path, target: header.linkname ?? "" });
    else if (header.type === "file")
      await pipeline(content, createWriteStream(path, { flags: "wx", mode: (header.mode ?? 0o644) & 0o777 }));
  }
  for (const { path, target } of links) await symlink(target, path);
  // Last, and innermost first: nothing can be written into a folder that its agent locked.
  for (const { path, mode } of folders.toReversed()) await chmod(path, (mode & 0o777) | 0o500);
}

function inside(root: string, name: string): string {
  const steps = name.split("/").filter((step) => step !== "");
  if (name.startsWith("/") || name.includes("\0") || steps.length === 0 || steps.includes(".."))
    throw new Error(`the hub names a file outside of the workspace: ${JSON.stringify(name)}`);
  return join(root, ...steps);
}
