import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Distribution, MachinePython } from "./find-pythons.ts";
import { makeStore } from "./make-store.ts";
import { pythonMounts } from "./python-mounts.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "store-"));
  await mkdir(join(dir, "toolchain/store"), { recursive: true });
});

afterEach(() => rm(dir, { recursive: true, force: true }));

async function dist(name: string, more: Partial<Distribution> = {}): Promise<Distribution> {
  const site = join(dir, "py/lib/python3.12/site-packages");
  await mkdir(join(site, name), { recursive: true });
  await writeFile(join(site, name, "__init__.py"), "");
  return {
    name,
    version: "1.0",
    site,
    tops: [name],
    pure: true,
    scripts: {},
    requires: [],
    python: "",
    ...more,
  };
}

function python(dists: Distribution[], more: Partial<MachinePython> = {}): MachinePython {
  const prefix = join(dir, "py");
  return {
    executable: `${prefix}/bin/python3`,
    version: "3.12.1",
    minor: [3, 12],
    prefix,
    basePrefix: prefix,
    dists,
    ...more,
  };
}

test("the toolchain copies pytest and what it needs; other packages stay where they are", async () => {
  const dists = [
    await dist("pytest", {
      requires: ["Plug.gy<2", "tomli; python_version < '3.11'", "extra; extra == 'dev'"],
    }),

    await dist("plug-gy"),
    await dist("tomli"),
    await dist("extra"),
    await dist("numpy", { pure: false }),
  ];
  const pythons = [python(dists)];
  const mounts = pythonMounts(pythons);
  expect(mounts.mounts).toEqual([{ source: join(dir, "py"), target: "/run/proctor/python-3.12-0" }]);
  expect(await makeStore(join(dir, "toolchain"), pythons, mounts)).toEqual({ pytest: "1.0" });

  const copied = (await readdir(join(dir, "toolchain/store"))).sort();
  expect(copied).toEqual(["index.json", "plug-gy-1.0", "proctor-ctrf", "pytest-1.0", "tomli-1.0"]);
  const rows = JSON.parse(await readFile(join(dir, "toolchain/store/index.json"), "utf8")) as Distribution[];
  const sites = Object.fromEntries(rows.map(({ name, site }) => [name, site]));
  expect(sites).toMatchObject({
    pytest: "/run/proctor/toolchain/store/pytest-1.0",
    numpy: "/run/proctor/python-3.12-0/lib/python3.12/site-packages",
    "proctor-ctrf": "/run/proctor/toolchain/store/proctor-ctrf",
  });
});

test("the toolchain of a machine without pytest serves none", async () => {
  expect(await makeStore(join(dir, "toolchain"), [], pythonMounts([]))).toEqual({ pytest: undefined });
});

test("the system's own Python, somebody's home and the root are never mounted", async () => {
  const own = await dist("own");
  for (const prefix of ["/usr", "/usr/local", "/", homedir(), join(homedir(), "..")]) {
    const dists = [{ ...own, site: join(prefix, "lib/python3.12/site-packages") }];
    expect(pythonMounts([python(dists, { prefix, basePrefix: prefix })]).mounts).toEqual([]);
  }
});

test("only the packages of a virtual environment are mounted, and nothing of one without packages", async () => {
  const own = await dist("own");
  expect(pythonMounts([python([own], { basePrefix: "/usr" })]).mounts).toMatchObject([{ source: own.site }]);
  expect(pythonMounts([python([{ ...own, name: "pip" }])]).mounts).toEqual([]);
});
