// The private directory in which the sockets of one forward lie, named after the process that made it, so that what a dead one left
// can be told from what is in use.
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import type { Server } from "node:net";
import { join } from "node:path";
import { ownedName, removeAbandoned } from "../../runtime/files/owned-names.ts";

interface ForwardDir {
  path: string;
  /** Makes the server listen at a socket of that name in the directory. */
  listen(server: Server, name: string): Promise<void>;
  remove(): Promise<void>;
}

const FOLDER = "network";
/** Bytes of the longest path of a socket; the kernel's limit is slightly higher. */
const MAX_PATH_BYTES = 100;

export async function createForwardDir(stateDir: string): Promise<ForwardDir> {
  const folder = join(stateDir, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Made with mode 700.
  const path = await mkdtemp(join(folder, ownedName("")));
  const handle = await open(path, "r");
  return {
    path,
    listen(server, name) {
      const direct = join(path, name);
      // A long path is replaced by a short one through the open directory's descriptor.
      const short =
        Buffer.byteLength(direct) > MAX_PATH_BYTES ? `/proc/self/fd/${handle.fd}/${name}` : direct;
      return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(short, () => {
          server.off("error", reject);
          resolve();
        });
      });
    },
    async remove() {
      await handle.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Removes the directories of processes that are gone. */
export async function sweepForwards(stateDir: string): Promise<void> {
  await removeAbandoned(join(stateDir, FOLDER));
}
