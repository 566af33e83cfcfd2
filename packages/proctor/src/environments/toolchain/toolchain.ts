// A directory that is mounted read-only where tests run and images are built, and stands first in PATH, so that what was written for a
// network works without one: apt, curl, pip, uv, uvx and npm serve what this machine has. Made once, kept by content.
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownedName, removeAbandoned } from "../../runtime/files/owned-names.ts";
import type { Mount } from "../../core/ports/environments.ts";
import { findPythons, pythonCandidates, pythonsKey, type MachinePython } from "./find-pythons.ts";
import { INSIDE, INSIDE_BIN } from "./inside.ts";
import { makeStore } from "./make-store.ts";
import { pythonMounts } from "./python-mounts.ts";
import { readShim, shims, writeShims } from "./write-shims.ts";

export interface Toolchain {
  mounts: Mount[];
  /** Variables for every process, without PATH. */
  env: Record<string, string>;
  /** Directories inside that come before those of PATH. */
  path: string[];
  notes: string[];
  /** Versions of Python and pytest that the toolchain serves; undefined where this machine has none. */
  python: string | undefined;
  pytest: string | undefined;
}

const ENV = {
  PYTHONDONTWRITEBYTECODE: "1",
  // Nothing is written into the directory that is judged.
  PYTEST_ADDOPTS: "-o cache_dir=/tmp/.pytest-cache",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_ROOT_USER_ACTION: "ignore",
};

const UNFINISHED = ".making-";

/** Returns a part of the layers' hash, because other shims may build other files. */
export const shimsHash = (): string =>
  digest(JSON.stringify([shims(), readShim("ctrf.py"), readShim("inventory.py")]));

export async function prepareToolchain(options: { stateDir: string }): Promise<Toolchain> {
  const candidates = await pythonCandidates();
  const all = join(options.stateDir, "toolchain");
  const dir = join(all, digest(shimsHash() + (await pythonsKey(candidates))).slice(0, 20));
  const made = await read(dir);
  if (made) return made;

  await mkdir(all, { recursive: true, mode: 0o700 });
  await removeAbandoned(all, UNFINISHED);
  const unfinished = await mkdtemp(join(all, `${UNFINISHED}${ownedName("")}`));
  try {
    // Users inside who are not root read it, too; those outside are kept off by the directory above.
    await chmod(unfinished, 0o755);
    const toolchain = await make(unfinished, dir, await findPythons(candidates));
    await writeFile(join(unfinished, "toolchain.json"), JSON.stringify(toolchain));
    await rename(unfinished, dir).catch(async (error: unknown) => {
      // Another process may have been faster.
      if ((await read(dir)) === undefined) throw error;
    });
    return toolchain;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function make(unfinished: string, dir: string, pythons: readonly MachinePython[]): Promise<Toolchain> {
  await writeShims(unfinished);
  await mkdir(join(unfinished, "store"), { recursive: true });
  const mounts = pythonMounts(pythons);
  const { pytest } = await makeStore(unfinished, pythons, mounts);
  const ofRoot = pythons.find(({ prefix }) => prefix.startsWith("/usr"));
  return {
    mounts: [{ source: dir, target: INSIDE }, ...mounts.mounts],
    env: ENV,
    path: [INSIDE_BIN],
    notes:
      pytest === undefined ? ["no pytest on this machine: tests that need it fail; pip install pytest"] : [],
    python: (ofRoot ?? pythons[0])?.version,
    pytest,
  };
}

async function read(dir: string): Promise<Toolchain | undefined> {
  const text = await readFile(join(dir, "toolchain.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  // Written by us; JSON has no undefined.
  const made = JSON.parse(text) as Omit<Toolchain, "python" | "pytest"> & {
    python?: string;
    pytest?: string;
  };
  // The directories above may have been moved since then.
  const mounts = made.mounts.map((mount) => (mount.target === INSIDE ? { ...mount, source: dir } : mount));
  return { ...made, mounts, python: made.python, pytest: made.pytest };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
