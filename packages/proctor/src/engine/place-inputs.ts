// Files that a client gave to a run before it started: the agent finds them in its workspace.
import { constants } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { contentSha256, type Artifact } from "../core/artifact.ts";
import type { RunBlobs } from "../core/ports/run-store.ts";
import type { Run } from "../core/run.ts";

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
const FLAGS = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

/** Writes the files. Throws when one cannot be written. Links that a fixture brought into the directory are not followed. */
export async function placeInputs(
  { artifacts }: Run,
  folder: string,
  blobs: Pick<RunBlobs, "read">,
  signal: AbortSignal,
): Promise<void> {
  for (const artifact of artifacts) {
    const path = inputPath(artifact);
    const sha256 = contentSha256(artifact);
    if (path === undefined || sha256 === undefined) continue;
    const target = join(folder, path);
    await makeFolders(folder, dirname(path));
    // Of two files with one path, the later one counts.
    const file = await open(target, FLAGS, 0o600);
    await pipeline(blobs.read(sha256), file.createWriteStream(), { signal });
  }
}

/** Makes one level at a time, so that nothing is made behind a link. */
async function makeFolders(root: string, path: string): Promise<void> {
  let current = root;
  for (const name of path === "." ? [] : path.split(sep)) {
    current = join(current, name);
    await mkdir(current).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    if (!(await lstat(current)).isDirectory()) throw new Error(`${path} leads through what is no folder`);
  }
}

/** Returns the path of a file that a client gave; undefined for other artifacts, and for a path that leads out of the folder. */
function inputPath(artifact: Artifact): string | undefined {
  if (artifact.type !== "file" || artifact.agent_created !== false) return undefined;
  const path = normalize(artifact.path);
  return isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`) ? undefined : path;
}
