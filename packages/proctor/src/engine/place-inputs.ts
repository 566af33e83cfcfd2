// Files that a client gave to a run before it started: the agent finds them in its workspace.
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Artifact } from "../core/artifact.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { Run } from "../core/run.ts";

/** Throws when one cannot be written. The directory is fresh and the run's own: nothing in it leads out. */
export async function placeInputs({ artifacts }: Run, folder: string, blobs: BlobStore): Promise<void> {
  for (const artifact of artifacts) {
    const path = inputPath(artifact);
    const sha256 = artifact.content_hash?.replace(/^sha256:/, "");
    if (path === undefined || sha256 === undefined) continue;
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    // Two with one name: the later one counts.
    await pipeline(blobs.read(sha256), createWriteStream(target, { mode: 0o600 }));
  }
}

/** Only what a client gave, and only below the folder. */
function inputPath(artifact: Artifact): string | undefined {
  if (artifact.type !== "file" || artifact.agent_created !== false) return undefined;
  const path = normalize(artifact.path);
  return isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`) ? undefined : path;
}
