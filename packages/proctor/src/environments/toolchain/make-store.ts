// The shelf from which pip and uv are served: pytest and what it needs as copies, other packages of this machine where they stand.
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Distribution, MachinePython } from "./find-pythons.ts";
import { INSIDE } from "./inside.ts";
import type { PythonMounts } from "./python-mounts.ts";
import { readShim } from "./write-shims.ts";

/** The pytest plugin that stands in for pytest-json-ctrf where that is not installed. */
const CTRF_VERSION = "1.0.0";
const CTRF_METADATA = `Metadata-Version: 2.1\nName: proctor-ctrf\nVersion: ${CTRF_VERSION}\n`;
const CTRF_ENTRY_POINTS = "[pytest11]\nproctor_ctrf = proctor_ctrf\n";

const run = promisify(execFile);

/** A distribution as the programs inside read it. */
interface Row extends Distribution {
  minor: [number, number];
}

export interface Store {
  pytest: string | undefined;
}

/** Makes the store in `dir`, the unfinished directory of the toolchain. */
export async function makeStore(
  dir: string,
  pythons: readonly MachinePython[],
  { siteInside }: PythonMounts,
): Promise<Store> {
  const rows: Row[] = [];
  const source = pythons.find(({ dists }) => dists.some(({ name }) => name === "pytest"));
  for (const dist of source === undefined ? [] : closure("pytest", source.dists)) {
    if (source) rows.push({ ...(await copy(dir, dist)), minor: source.minor });
  }
  const copied = new Set(rows.map(({ name }) => name));
  for (const python of pythons) {
    for (const dist of python.dists) {
      const site = siteInside(dist);
      if (site !== undefined && dist.tops.length > 0 && !copied.has(dist.name)) {
        rows.push({ ...dist, site, minor: python.minor });
      }
    }
  }
  rows.push(await writeCtrf(dir));
  await writeFile(join(dir, "store", "index.json"), JSON.stringify(rows));
  return { pytest: rows.find(({ name }) => name === "pytest")?.version };
}

/** Returns a distribution and what it needs; markers are evaluated inside, where the Python is known. */
function closure(first: string, dists: readonly Distribution[]): Distribution[] {
  const byName = new Map(dists.map((dist) => [dist.name, dist]));
  const taken = new Map<string, Distribution>();
  const queue = [first];
  for (const name of queue) {
    const dist = byName.get(name);
    if (dist === undefined || taken.has(name) || !dist.pure) continue;
    taken.set(name, dist);
    for (const text of dist.requires) {
      if (text.includes("extra ==")) continue;
      const needed = /^[A-Za-z0-9._-]+/u.exec(text)?.[0];
      if (needed !== undefined) queue.push(needed.replaceAll(/[-_.]+/gu, "-").toLowerCase());
    }
  }
  return [...taken.values()];
}

async function copy(dir: string, dist: Distribution): Promise<Distribution> {
  const name = `${dist.name}-${dist.version}`;
  const target = join(dir, "store", name);
  await mkdir(target, { recursive: true });
  // Times are kept, so that Python's compiled files stay valid.
  if (dist.tops.length > 0)
    await run("cp", ["-RpL", ...dist.tops.map((top) => join(dist.site, top)), target]);
  return { ...dist, site: `${INSIDE}/store/${name}` };
}

async function writeCtrf(dir: string): Promise<Row> {
  const info = `proctor_ctrf-${CTRF_VERSION}.dist-info`;
  const target = join(dir, "store", "proctor-ctrf");
  await mkdir(join(target, info), { recursive: true });
  await writeFile(join(target, "proctor_ctrf.py"), readShim("ctrf.py"));
  await writeFile(join(target, info, "METADATA"), CTRF_METADATA);
  await writeFile(join(target, info, "entry_points.txt"), CTRF_ENTRY_POINTS);
  return {
    name: "proctor-ctrf",
    version: CTRF_VERSION,
    site: `${INSIDE}/store/proctor-ctrf`,
    tops: ["proctor_ctrf.py", info],
    pure: true,
    scripts: {},
    requires: [],
    python: "",
    minor: [3, 0],
  };
}
