import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findMissing } from "../../../core/missing-packages.ts";
import { INSIDE } from "../inside.ts";
import { shims } from "../write-shims.ts";

const run = promisify(execFile);
let dir: string;

/** A dpkg-query that knows five packages. */
const DPKG = `#!/bin/sh
list() {
  while read -r status name provides; do
    case "$3" in
      *Provides*) echo "$status $name, $provides" ;;
      *) if [ "$name" = "$4" ]; then printf '%s' "$status"; fi ;;
    esac
  done <<END
installed git
installed g++ c++-compiler (= 1), c++
installed mawk awk
installed libgl1
config-files removed-thing
END
}
list "$@"
`;

/** A real program that prints its arguments, and fails for a package named "nowhere". */
const REAL = `#!/bin/sh
echo "real $*"
case "$*" in *nowhere*) exit 7 ;; update*) [ -z "$UPDATE_FAILS" ] || exit 100 ;; esac
`;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "apt-"));
  // The shims look for the toolchain in the folder of the test.
  const ours = (path: string): string => shims()[path]?.replaceAll(INSIDE, join(dir, "toolchain")) ?? "";
  const files = {
    "apt-get": ours("bin/apt-get"),
    curl: ours("bin/curl"),
    npm: ours("bin/npm"),
    "toolchain/lib/missing-packages.cjs": ours("lib/missing-packages.cjs"),
    "bin/dpkg-query": DPKG,
    "bin/curl": '#!/bin/sh\necho "real $*"\n',
    "bin/apt-get": REAL,
    "bin/npm": REAL,
  };
  for (const folder of ["bin", "toolchain/lib"]) await mkdir(join(dir, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(dir, name), text);
    await chmod(join(dir, name), 0o755);
  }
});

afterAll(() => rm(dir, { recursive: true, force: true }));

interface Ended {
  code: number;
  output: string;
}

async function call(name: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const options = { env: { PATH: `${join(dir, "bin")}:/usr/bin:/bin`, ...env } };
  try {
    const { stdout, stderr } = await run(join(dir, name), args, options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const BUILD = { PROCTOR_BUILD: "1" };

describe("apt without a network", () => {
  test.each([
    [["update"]],
    [["-y", "purge", "povray*"]],
    [["install", "-y", "--no-install-recommends", "git=1:2.39", "g++"]],
    [["-o", "Dpkg::Use-Pty=0", "install", "git"]],
    [["install", "-t", "bookworm-backports", "git:amd64"]],
    [["install", "awk", "c++-compiler"]],
  ])("%j succeeds", async (args) => {
    expect(await call("apt-get", args, BUILD)).toMatchObject({ code: 0 });
  });

  test("every missing package is named", async () => {
    const { code, output } = await call(
      "apt-get",
      ["install", "-y", "git", "no-such-thing", "nor-this=1.0"],
      BUILD,
    );
    expect(code).toBe(100);
    expect(output).toContain("E: Unable to locate package no-such-thing");
    expect(findMissing(output)).toEqual([
      { name: "no-such-thing", kind: "apt" },
      { name: "nor-this", kind: "apt" },
    ]);
    expect(output).not.toContain("package git");
  });

  test("a package that was removed is not installed", async () => {
    expect(await call("apt-get", ["install", "removed-thing"], BUILD)).toMatchObject({ code: 100 });
  });

  test("other names and recorders are served with a note", async () => {
    const { code, output } = await call("apt-get", ["install", "libgl1-mesa-glx", "asciinema"], BUILD);
    expect(code).toBe(0);
    expect(output).toContain("libgl1-mesa-glx asked for, libgl1 of the root serves");
  });

  test("packages that only fetch test tools are needed in builds, but not by tests", async () => {
    expect(await call("apt-get", ["install", "python3-venv"])).toMatchObject({ code: 0 });
    expect(await call("apt-get", ["install", "python3-venv"], BUILD)).toMatchObject({ code: 100 });
  });

  test("sources need a network", async () => {
    expect(await call("apt-get", ["source", "git"], BUILD)).toMatchObject({ code: 100 });
  });
});

describe("package managers of the toolchain with a network", () => {
  const ONLINE = { PROCTOR_NETWORK: "host" };

  test.each([
    [
      "apt-get",
      ["install", "-y", "git", "no-such-thing"],
      "real update -qq\nreal install -y git no-such-thing\n",
    ],
    ["apt-get", ["source", "git"], "real update -qq\nreal source git\n"],
    ["npm", ["install", "-g", "no-such-thing"], "real install -g no-such-thing\n"],
  ])("%s %j is left to the real program", async (name, args, output) => {
    expect(await call(name, args, ONLINE)).toEqual({ code: 0, output });
  });

  test("a source that cannot be updated does not stop the others from serving", async () => {
    const { code, output } = await call("apt-get", ["install", "-y", "no-such-thing"], {
      ...ONLINE,
      UPDATE_FAILS: "1",
    });
    expect({ code, output }).toEqual({ code: 0, output: "real update -qq\nreal install -y no-such-thing\n" });
  });

  test("packages of the root are served without the real program", async () => {
    const { code, output } = await call("apt-get", ["install", "-y", "git"], ONLINE);
    expect({ code, isReal: output.includes("real") }).toEqual({ code: 0, isReal: false });
  });

  test.each([
    ["apt-get", ["install", "-y", "nowhere"], 100, { name: "nowhere", kind: "apt" }],
    ["npm", ["install", "nowhere"], 1, { name: "nowhere", kind: "npm" }],
  ])("%s %j is missing when the real program cannot get it either", async (name, args, code, missing) => {
    const file = join(dir, `missing-${name}`);
    const ended = await call(name, args, { ...ONLINE, PROCTOR_MISSING_FILE: file });
    expect(ended.code).toBe(code);
    expect(findMissing(ended.output)).toEqual([missing]);
    expect(findMissing(await readFile(file, "utf8"))).toEqual([missing]);
  });
});

test("curl hands every address but one to the real program", async () => {
  const other = ["-sL", "https://example.com/install.sh", "-o", "x"];
  expect(await call("curl", other)).toMatchObject({ code: 0, output: `real ${other.join(" ")}\n` });
});
