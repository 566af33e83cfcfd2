import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findMissing } from "../../core/missing-packages.ts";
import type { Distribution, MachinePython } from "./find-pythons.ts";
import { makeStore } from "./make-store.ts";
import { pythonMounts } from "./python-mounts.ts";
import { prepareToolchain, type Toolchain } from "./toolchain.ts";
import { writeShims } from "./write-shims.ts";
import { SYSTEM_ONLY } from "../../../test/support/bwrap.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const run = promisify(execFile);

function whyNot(): string | undefined {
  if (!existsSync("/usr/bin/python3")) return "there is no /usr/bin/python3";
  try {
    execFileSync("bwrap", [...SYSTEM_ONLY, "--tmpfs", "/run", "--unshare-net", "true"], {
      stdio: "ignore",
    });
    return undefined;
  } catch {
    return "bubblewrap does not run here";
  }
}

const reason = whyNot();
// oxlint-disable-next-line no-console
if (reason !== undefined) console.log(`skipped: programs of the toolchain: ${reason}`);

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "toolchain-"));
  await mkdir(join(dir, "out"));
});

afterAll(() => rm(dir, { recursive: true, force: true }));

test("a toolchain is made once, even by two callers at the same time", async () => {
  const options = { stateDir: join(dir, "twice") };
  const [one, two] = await Promise.all([prepareToolchain(options), prepareToolchain(options)]);
  expect(two).toEqual(one);
  expect(await prepareToolchain(options)).toEqual(one);
  expect(await readdir(join(dir, "twice/toolchain"))).toHaveLength(1);
  expect(one.mounts[0]).toMatchObject({ target: "/run/proctor/toolchain" });
});

test("a toolchain is still found when the directory it was made in has been moved", async () => {
  await prepareToolchain({ stateDir: join(dir, "twice") });
  await rename(join(dir, "twice"), join(dir, "after"));
  try {
    const { mounts } = await prepareToolchain({ stateDir: join(dir, "after") });
    expect(mounts[0]?.source).toContain(join(dir, "after"));
  } finally {
    await rename(join(dir, "after"), join(dir, "twice"));
  }
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A script in a sandbox of its own: no network, everything that it writes is forgotten but /out. */
async function inside(
  toolchain: Pick<Toolchain, "mounts" | "env">,
  script: string,
  env = {},
): Promise<Ended> {
  const variables = { HOME: "/root", PATH: `/run/proctor/toolchain/bin:${PATH}`, ...toolchain.env, ...env };
  const args = [
    ...SYSTEM_ONLY,
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-all",
    "--die-with-parent",
    "--clearenv",
    ...["/run", "/root", "/usr/local", "/tmp", "/mnt"].flatMap((path) => ["--tmpfs", path]),
    "--bind",
    join(dir, "out"),
    "/mnt",
    ...toolchain.mounts.flatMap(({ source, target }) => ["--ro-bind", source, target]),
    ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    "--chdir",
    "/tmp",
    "bash",
    "-c",
    script,
  ];
  try {
    const { stdout, stderr } = await run("bwrap", args, { timeout: HANG_MS });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}

/** A toolchain with a pytest that says how it was called, and one package more. */
async function fakeToolchain(): Promise<Pick<Toolchain, "mounts" | "env">> {
  const site = join(dir, "py/lib/python3.0/site-packages");
  const dist = async (
    name: string,
    code: string,
    more: Partial<Distribution> = {},
  ): Promise<Distribution> => {
    await mkdir(join(site, `${name}-7.0.dist-info`), { recursive: true });
    await writeFile(join(site, `${name}.py`), code);
    await writeFile(join(site, `${name}-7.0.dist-info/METADATA`), `Name: ${name}\nVersion: 7.0\n`);
    const tops = [`${name}.py`, `${name}-7.0.dist-info`];
    return {
      name,
      version: "7.0",
      site,
      tops,
      pure: true,
      scripts: {},
      requires: [],
      python: ">=3.5",
      ...more,
    };
  };
  const dists = [
    await dist("pytest", "import sys\ndef main():\n    print('pytest', *sys.argv[1:])\n", {
      scripts: { pytest: "pytest:main" },
      requires: ["helper>=1", "absent; python_version < '3'"],
    }),
    await dist("helper", "X = 1\n"),
    await dist("lonely", "X = 2\n", { requires: ["nowhere"] }),
  ];
  const prefix = join(dir, "py");
  const python: MachinePython = {
    executable: "",
    version: "3.0.0",
    minor: [3, 0],
    prefix,
    basePrefix: prefix,
    dists,
  };
  const made = join(dir, "fake");
  await mkdir(join(made, "store"), { recursive: true });
  await writeShims(made);
  const mounts = pythonMounts([python]);
  await makeStore(made, [python], mounts);
  return { mounts: [{ source: made, target: "/run/proctor/toolchain" }, ...mounts.mounts], env: {} };
}

describe.skipIf(reason !== undefined)("the toolchain without a network", () => {
  let fake: Pick<Toolchain, "mounts" | "env">;
  beforeAll(async () => {
    fake = await fakeToolchain();
  });

  test.each([
    ["uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest -rA x", "pytest -rA x"],
    ["uvx --with helper,pytest --from pytest pytest -q", "pytest -q"],
    ["uvx pytest@8 -q", "pytest -q"],
    ["uv tool run --index-strategy unsafe-best-match pytest -q", "pytest -q"],
    ["uv run --with pytest pytest -q", "pytest -q"],
    ["uv run --no-project --with helper python -c 'import helper; print(helper.X)'", "1"],
    [
      "uv venv -p 3.12 .tb && source .tb/bin/activate && uv pip install pytest==8 && uv run pytest -q",
      "pytest -q",
    ],
    [
      "uv venv && . .venv/bin/activate && uv pip install helper && python -c 'import helper; print(helper.X)'",
      "1",
    ],
    ["uv init p && cd p && uv add pytest helper && uv sync && uv run pytest -q", "pytest -q"],
    ["pip install -q pytest==8.4.1 'helper>=1' --break-system-packages && pytest -q", "pytest -q"],
    ["python3 -m pip install -q pytest && python3 -c 'import pytest; pytest.main()'", "pytest"],
    [
      "echo 'helper # comment' >r.txt; pip install -q -r r.txt && python3 -c 'import helper; print(helper.X)'",
      "1",
    ],
    ["pip install -q --target t helper && ls t | head -1", "helper-7.0.dist-info"],
    [
      "python3 -m venv v && v/bin/pip install -q helper && v/bin/python -c 'import helper; print(helper.X)'",
      "1",
    ],
    ["pip install -q --upgrade pip && echo fine", "fine"],
    ["pip install -q uv && PATH=/usr/local/bin:/usr/bin:/bin uvx pytest -q", "pytest -q"],
    [
      "printf '# /// script\\n# dependencies = [\"helper\"]\\n# ///\\nimport helper; print(7)\\n' >s.py; uv run s.py",
      "7",
    ],
    ["apt-get install -y python3-pytest >/dev/null && pytest -q", "pytest -q"],
    ["wget -qO- https://astral.sh/uv/install.sh | head -1", "#!/bin/sh"],
  ])("serves: %s", async (script, last) => {
    const { code, stdout, stderr } = await inside(fake, script);
    expect({ code, last: stdout.trim().split("\n").at(-1), stderr }).toMatchObject({ code: 0, last });
  });

  test("the installer of uv is answered, and its env file works", async () => {
    const script = `curl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh && export PATH=${PATH}:/run/proctor/toolchain/bin
      source $HOME/.local/bin/env && command -v uvx && uvx pytest -q`;
    const { stdout } = await inside(fake, script);
    expect(stdout).toBe("/root/.local/bin/uvx\npytest -q\n");
  });

  test.each([
    ["uvx -w torch==2.7 pytest", "torch==2.7 is not on this machine"],
    ["pip install helper torch", "torch is not on this machine"],
    ["pip install lonely", "nowhere (needed by lonely) is not on this machine"],
    [
      "uv pip install --system 'git+https://example.com/x.git'",
      "git+https://example.com/x.git is not on this machine",
    ],
    ["uvx ruff check", "ruff is not on this machine"],
  ])("%s fails and says what is missing", async (script, message) => {
    const { code, stderr } = await inside(fake, script);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test.each([
    ["pip install torch", { name: "torch", kind: "pip" }],
    ["uvx -w torch==2.7 pytest", { name: "torch==2.7", kind: "pip" }],
    ["uv publish", { name: "uv publish", kind: "uv" }],
    ["apt-get source git", { name: "source git", kind: "apt" }],
    ["npm install left-pad", { name: "left-pad", kind: "npm" }],
  ])("%s reports what is missing in the shared words, and writes it down", async (script, missing) => {
    const { stderr, stdout } = await inside(fake, `(${script}) >/dev/null; cat missing`, {
      PROCTOR_MISSING_FILE: "/tmp/missing",
    });
    expect(findMissing(stderr)).toEqual([missing]);
    expect(findMissing(stdout)).toEqual([missing]);
  });

  test.each([
    ["pip install torch", "real pip3 install torch"],
    ["uvx -w torch==2.7 pytest -q", "real uvx -w torch==2.7 pytest -q"],
    ["uv pip install --system torch", "real uv pip install --system torch"],
    ["uv publish", "real uv publish"],
    ["pip install helper", "Requirement already satisfied on this machine: helper"],
  ])("with a network, %s reaches the real program if this machine lacks it", async (script, last) => {
    const make = `mkdir real; for name in pip3 uv uvx; do
      printf '#!/bin/sh\\necho real '$name' "$@"\\n' > real/$name; chmod 755 real/$name; done`;
    const { code, stdout } = await inside(
      fake,
      `${make}; export PATH=\${PATH%%:*}:/tmp/real:\${PATH#*:}; ${script}`,
      {
        PROCTOR_NETWORK: "host",
      },
    );
    expect({ code, last: stdout.trim().split("\n").at(-1) }).toEqual({ code: 0, last });
  });

  test("other versions than those asked for are noted", async () => {
    const { stderr } = await inside(fake, "uvx -w pytest==8.4.1 pytest");
    expect(stderr).toContain("pytest 8.4.1 asked for, 7.0 of this machine serves");
  });

  test("in a build, packages are copied, and reports go where redirections do not reach", async () => {
    const script = `exec 9>/mnt/reports; pip install helper torch >/dev/null 2>&1; pip install -q pytest==8 >/dev/null 2>&1
      find /usr/local -type l; cd /usr/local/lib/python3*/*-packages && ls`;
    const { stdout } = await inside(fake, script, { PROCTOR_BUILD: "1", PROCTOR_REPORT_FD: "9" });
    expect(stdout.trim().split("\n")).toEqual([
      "helper-7.0.dist-info",
      "helper.py",
      "pytest-7.0.dist-info",
      "pytest.py",
    ]);
    const reports = (await readFile(join(dir, "out/reports"), "utf8")).trim().split("\n");
    expect(reports.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { missing: expect.stringContaining("torch is not"), kind: "pip", name: "torch" },
      { note: "pytest 8 asked for, 7.0 of this machine serves" },
    ]);
  });

  test("the real pytest of this machine judges, reports as CTRF and writes nothing beside the tests", async ({
    skip,
  }) => {
    const toolchain = await prepareToolchain({ stateDir: join(dir, "twice") });
    if (toolchain.pytest === undefined) skip("there is no pytest on this machine");
    await mkdir(join(dir, "out/tests"));
    await writeFile(
      join(dir, "out/tests/test_it.py"),
      "import pytest\ndef test_good(): pass\ndef test_bad(): assert 1 == 2\n@pytest.mark.skip(reason='why')\ndef test_not(): pass\n",
    );
    const script =
      "uvx -p 3.13 -w pytest==8.4.1 -w pytest-json-ctrf==0.3.5 pytest --ctrf /mnt/ctrf.json /mnt/tests -rA";
    const { code, stdout } = await inside(toolchain, script);
    expect(stdout).toContain("1 failed, 1 passed, 1 skipped");
    expect(code).toBe(1);
    const { results } = JSON.parse(await readFile(join(dir, "out/ctrf.json"), "utf8")) as {
      results: Record<string, unknown>;
    };
    expect(results["summary"]).toMatchObject({ tests: 3, passed: 1, failed: 1, skipped: 1 });
    expect(await readdir(join(dir, "out/tests"))).toEqual(["test_it.py"]);
  });
});
