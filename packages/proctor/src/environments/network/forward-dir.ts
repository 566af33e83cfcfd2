// The private directory in which the sockets of one forward lie, named after the process that made it, so that what a dead one left
// can be told from what is in use.
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rm } from "node:fs/promises";
import type { Server } from "node:net";
import { join } from "node:path";

export interface ForwardDir {
  path: string;
  /** At a socket of that name in it. */
  listen(server: Server, name: string): Promise<void>;
  remove(): Promise<void>;
}

const FOLDER = "network";
/** What the kernel takes as the path of a socket, with room to spare. */
const MAX_PATH_BYTES = 100;

export async function createForwardDir(stateDir: string): Promise<ForwardDir> {
  const folder = join(stateDir, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Made with mode 700.
  const path = await mkdtemp(join(folder, `${process.pid}-${startOf(process.pid) ?? 0}-`));
  const handle = await open(path, "r");
  return {
    path,
    listen(server, name) {
      const direct = join(path, name);
      // However long the path is, the way through the open directory is short.
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

/** Removes what processes left that are gone. */
export async function sweepForwards(stateDir: string): Promise<void> {
  const folder = join(stateDir, FOLDER);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, pid = "", start = ""] = /^(\d+)-(\d+)-/.exec(name) ?? [];
    if (pid === "" || startOf(Number(pid)) === Number(start)) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** When a process began, in the kernel's own count; undefined when there is none. */
function startOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name is in parentheses and may hold anything. The 22nd field is the 20th after it.
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[19]);
  } catch {
    return undefined;
  }
}
