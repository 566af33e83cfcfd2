// A folder on a file system of its own that holds a few megabytes, so that a disk can be full without harming anybody else.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

export interface SmallDisk {
  folder: string;
  /** Leaves room for no byte and for no file. */
  fill: () => void;
  /** Makes room again. */
  clear: () => void;
  /** Call it when nothing uses the folder any more. */
  close: () => void;
}

const SIZE_MIB = 16;
const MAX_FILES = 2000;

/** Undefined, with a line that says why, where this user may not mount one. */
export function openSmallDisk(name: string): SmallDisk | undefined {
  const folder = temporaryFolder(name);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MIB}m,nr_inodes=${MAX_FILES}`, "none", folder], {
      stdio: "pipe",
    });
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    console.log(`skipped: full disks: a small file system cannot be mounted here: ${reason}`);
    return undefined;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      mkdirSync(filler, { recursive: true });
      const block = Buffer.alloc(4096);
      untilFull(() => writeFileSync(join(filler, "bytes"), block, { flag: "a" }));
      let files = 0;
      untilFull(() => writeFileSync(join(filler, `${files++}`), ""));
    },
    clear: () => rmSync(filler, { recursive: true, force: true }),
    close: () => void execFileSync("umount", ["--lazy", folder], { stdio: "pipe" }),
  };
}

function untilFull(write: () => void): void {
  try {
    for (;;) write();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
