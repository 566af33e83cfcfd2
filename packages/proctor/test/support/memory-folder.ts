// A folder in memory for what tests write: databases that are flushed to a disk thousands of times otherwise. Only where there is room for it and
// programs in it can be started; the folder of the machine is used otherwise.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;

/** Removed when this process ends. */
export function openMemoryFolder(): string | undefined {
  if (!isSuitable()) return undefined;
  const folder = mkdtempSync(join(MEMORY, "proctor-"));
  // Tests of what other users may do lend them folders in it.
  chmodSync(folder, 0o711);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isSuitable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === MEMORY);
    return mount?.split(" ")[2] === "tmpfs" && !/\bnoexec\b/.test(mount) && bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
