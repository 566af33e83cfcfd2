// What the root is that stands in for base images: its identity, its name, and the programs it has.
import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export interface Root {
  /** Identity of the root, which changes when packages are added, removed or replaced. */
  identity: string;
  /** Display name of the system: `Debian GNU/Linux 12 (bookworm)`. */
  name: string;
  /** The version of the root's Python: `3.11`. */
  python: string | undefined;
  has: (program: string) => boolean;
}

const PROGRAM_DIRS = [
  "usr/local/sbin",
  "usr/local/bin",
  "usr/sbin",
  "usr/bin",
  "sbin",
  "bin",
  "usr/local/go/bin",
  "usr/lib/go/bin",
  "usr/local/cargo/bin",
];

export async function readRoot(dir = "/"): Promise<Root> {
  const release = await readFile(join(dir, "etc/os-release"), "utf8").catch(() => "");
  const status = await readFile(join(dir, "var/lib/dpkg/status")).catch(async () => {
    // A root that is not Debian-like is identified by its programs.
    const bin = await stat(join(dir, "usr/bin")).catch(() => undefined);
    return Buffer.from(String(bin?.mtimeMs));
  });
  return {
    identity: createHash("sha256")
      .update(dir)
      .update("\0")
      .update(release)
      .update("\0")
      .update(status)
      .digest("hex"),
    name: /^PRETTY_NAME="?([^"\n]+)/mu.exec(release)?.[1] ?? "of this machine",
    python: pythonOf(dir),
    has: (program) => PROGRAM_DIRS.some((place) => isThere(join(dir, place, program))),
  };
}

function pythonOf(dir: string): string | undefined {
  for (const place of ["usr/local/bin/python3", "usr/bin/python3"]) {
    try {
      return /3\.\d+/u.exec(readlinkSync(join(dir, place)))?.[0];
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Whether the path exists. Links count even if broken, because those of another root lead elsewhere than they seem from here. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
