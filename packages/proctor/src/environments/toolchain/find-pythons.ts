// Which Pythons this machine has, and what each of them can import.
import { execFile } from "node:child_process";
import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readShim } from "./write-shims.ts";

const run = promisify(execFile);

export interface MachinePython {
  executable: string;
  version: string;
  minor: [number, number];
  prefix: string;
  basePrefix: string;
  dists: Distribution[];
}

export interface Distribution {
  /** The normalised name: `pytest-json-ctrf`. */
  name: string;
  version: string;
  /** The directory that it is installed in. */
  site: string;
  /** Names directly below `site` that belong to the distribution. */
  tops: string[];
  /** True for a distribution without compiled code. */
  pure: boolean;
  scripts: Record<string, string>;
  requires: string[];
  /** Which Pythons it is for: `>=3.10`. */
  python: string;
}

const MAX_PYTHONS = 16;
const QUERY_MS = 20_000;

/** Resolves with programs that may be Pythons, in the order in which a user of this machine would get them. */
export async function pythonCandidates(env: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const pyenv = env["PYENV_ROOT"] ?? join(homedir(), ".pyenv");
  const dirs = [
    ...(env["VIRTUAL_ENV"] ? [join(env["VIRTUAL_ENV"], "bin")] : []),
    ...(env["PATH"] ?? "").split(":").filter((dir) => dir.startsWith("/")),
    "/usr/bin",
    "/usr/local/bin",
    ...(await pyenvDirs(pyenv)),
  ];
  const found = new Map<string, string>();
  for (const dir of new Set(dirs)) {
    // python3 comes first, the default Python of a directory. Other Pythons of pyenv's shims are found in their own directories.
    const pattern = dir === join(pyenv, "shims") ? /^python3$/u : /^python3(\.\d+)?$/u;
    for (const name of (await names(dir)).filter((entry) => pattern.test(entry)).sort()) {
      const path = join(dir, name);
      const real = await realpath(path).catch(() => undefined);
      // The Python of a virtual environment is a link to another one, but counts as a different one.
      const key = (await exists(join(dirname(dir), "pyvenv.cfg"))) ? dir : real;
      if (key !== undefined && !found.has(key)) found.set(key, path);
    }
  }
  return [...found.values()].slice(0, MAX_PYTHONS);
}

/** Changes when a Python or one of its packages is added, removed or replaced. */
export async function pythonsKey(candidates: readonly string[]): Promise<string> {
  const lines = await Promise.all(
    candidates.map(async (path) => {
      const real = await realpath(path).catch(() => path);
      const lib = [
        join(dirname(dirname(real)), "lib"),
        join(dirname(dirname(path)), "lib"),
        "/usr/local/lib",
      ];
      const sites = (await Promise.all([...new Set(lib)].map(siteDirs))).flat();
      return [path, ...(await Promise.all([real, ...sites].map(stamp)))].join(" ");
    }),
  );
  return lines.join("\n");
}

/** The candidates that answer; a broken Python is left out. */
export async function findPythons(candidates: readonly string[]): Promise<MachinePython[]> {
  const found: MachinePython[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < candidates.length; at += 4) {
    for (const python of await Promise.all(candidates.slice(at, at + 4).map(query))) {
      if (python === undefined || seen.has(python.prefix)) continue;
      seen.add(python.prefix);
      found.push(python);
    }
  }
  return found;
}

async function query(path: string): Promise<MachinePython | undefined> {
  try {
    const { stdout } = await run(path, ["-c", readShim("requirement.py") + readShim("inventory.py")], {
      timeout: QUERY_MS,
      maxBuffer: 32 * 1024 * 1024,
      cwd: "/",
      env: { PATH: process.env["PATH"] ?? "", HOME: homedir(), PYTHONDONTWRITEBYTECODE: "1" },
    });
    // Written by our own script.
    return JSON.parse(stdout) as MachinePython;
  } catch {
    return undefined;
  }
}

/** The directories of pyenv's versions that have packages, the newest first. */
async function pyenvDirs(root: string): Promise<string[]> {
  const versions = (await names(join(root, "versions"))).sort((a, b) =>
    b.localeCompare(a, "en", { numeric: true }),
  );
  const useful = await Promise.all(
    versions.map(async (version) => {
      const sites = await siteDirs(join(root, "versions", version, "lib"));
      const entries = (await Promise.all(sites.map(names))).flat();
      return entries.some(
        (entry) => entry.endsWith(".dist-info") && !/^(?:pip|setuptools|wheel)-/u.test(entry),
      );
    }),
  );
  return versions
    .filter((_, index) => useful[index])
    .map((version) => join(root, "versions", version, "bin"));
}

async function siteDirs(lib: string): Promise<string[]> {
  const versions = (await names(lib)).filter((name) => name.startsWith("python3"));
  return versions.flatMap((name) => [join(lib, name, "site-packages"), join(lib, name, "dist-packages")]);
}

async function stamp(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${path}:${found.size}:${found.mtimeMs}` : "";
}

async function names(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
