import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPythons, pythonCandidates, pythonsKey } from "./find-pythons.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "pythons-"));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

/** A program that answers like our script in a Python. */
async function fakePython(prefix: string, version: string): Promise<string> {
  await mkdir(join(dir, prefix, "bin"), { recursive: true });
  await mkdir(join(dir, prefix, "lib/python3.12/site-packages"), { recursive: true });
  const path = join(dir, prefix, "bin/python3");
  const answer = {
    executable: path,
    version,
    minor: [3, 12],
    prefix: join(dir, prefix),
    basePrefix: join(dir, prefix),
    dists: [],
  };
  await writeFile(path, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`);
  await chmod(path, 0o755);
  return path;
}

test("Pythons are found on PATH, in an active environment and, with packages, under pyenv, each once", async () => {
  const one = await fakePython("one", "3.12.1");
  const active = await fakePython("active", "3.12.2");
  await writeFile(join(dir, "active/pyvenv.cfg"), "");
  const managed = await fakePython("pyenv/versions/3.13.0", "3.13.0");
  await mkdir(join(dir, "pyenv/versions/3.13.0/lib/python3.12/site-packages/pytest-9.0.dist-info"), {
    recursive: true,
  });
  await fakePython("pyenv/versions/3.9.0", "3.9.0");
  await mkdir(join(dir, "links"));
  await symlink(one, join(dir, "links/python3"));
  const candidates = await pythonCandidates({
    PATH: `${join(dir, "one/bin")}:${join(dir, "links")}:relative`,
    VIRTUAL_ENV: join(dir, "active"),
    PYENV_ROOT: join(dir, "pyenv"),
  });
  const own = candidates.filter((path) => path.startsWith(dir));
  expect(own).toEqual([active, one, managed]);
  expect((await findPythons(own)).map(({ version }) => version)).toEqual(["3.12.2", "3.12.1", "3.13.0"]);
});

test("a Python that is broken is not listed", async () => {
  const path = await fakePython("broken", "1");
  await writeFile(path, "#!/bin/sh\nexit 3\n");
  expect(await findPythons([path, join(dir, "missing")])).toEqual([]);
});

test("the key of the toolchain changes when a package is added", async () => {
  const path = await fakePython("one", "3.12.1");
  const before = await pythonsKey([path]);
  expect(await pythonsKey([path])).toBe(before);
  await mkdir(join(dir, "one/lib/python3.12/site-packages/new"));
  expect(await pythonsKey([path])).not.toBe(before);
});
