// The parts of an environment that need none to be tested.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { systemAccounts } from "./accounts.ts";
import { isRoot } from "./as-user.ts";
import { findCgroups } from "./cgroup-home.ts";
import { createCgroup } from "./cgroup.ts";
import { makePlace } from "./environment-dir.ts";
import { isPublic, planHost } from "./host-plan.ts";
import { openMemoryFile } from "./memory-file.ts";
import { quote } from "./quote.ts";

let folder = "";
afterEach(() => {
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
  folder = "";
});
function makeFolder(): string {
  folder = mkdtempSync(join(tmpdir(), "proctor-parts-"));
  return folder;
}

describe("accounts in a bwrap environment", () => {
  it("are those of the system, without people and without passwords", () => {
    const passwd =
      "root:x:0:0:root:/root:/bin/bash\nwww:$6$hash:33:33::/var/www:/bin/sh\nann:x:1000:1000:Ann:/home/ann:/bin/zsh\nnobody:x:65534:65534::/:/bin/false\nbroken\n";
    const group = "root:x:0:\nadm:x:4:ann,www\nann:x:1000:\n";
    const accounts = systemAccounts(passwd, group);
    expect(accounts.passwd).toBe(
      "root:x:0:0:root:/root:/bin/bash\nwww:x:33:33::/var/www:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n",
    );
    expect(accounts.group).toBe("root:x:0:\nadm:x:4:www\n");
    expect(accounts.shadow).toContain("www:*:");
    expect(JSON.stringify(accounts)).not.toMatch(/ann|hash/);
  });

  it("have a root where there is none", () => {
    expect(systemAccounts("", "")).toMatchObject({
      passwd: "root:x:0:0:root:/root:/bin/sh\n",
      group: "root:x:0:\n",
    });
    expect([undefined, "root", "0", "0:0"].every(isRoot)).toBe(true);
    expect(["ann", "1000", "0:1000"].some(isRoot)).toBe(false);
  });
});

describe("the view of this machine", () => {
  const listing = {
    "/": ["bin", "usr", "home", "root", "data", "etc", "var", "tmp"],
    "/var": ["lib", "log", "run", "www"],
    "/var/lib": ["dpkg", "mysql"],
    "/var/cache": [],
  };

  it("shows what is on the list and nothing else", () => {
    const { hidden } = planHost(listing, ["/opt/app/key", "/home/ann", "/data/x"]);
    expect(hidden).toEqual(
      expect.arrayContaining([
        "home",
        "root",
        "data",
        "etc",
        "tmp",
        "var/log",
        "var/www",
        "var/lib/mysql",
        "opt/app/key",
      ]),
    );
    expect(
      hidden.some((path) => ["bin", "usr", "var", "var/lib", "var/lib/dpkg", "var/run"].includes(path)),
    ).toBe(false);
    // What lies below something hidden needs no hiding.
    expect(hidden).not.toContain("home/ann");
    expect(hidden).not.toContain("data/x");
  });

  it("copies of /etc what everybody may read, and no secrets", () => {
    const copied: [string, number, boolean][] = [
      ["os-release", 0o644, false],
      ["apt", 0o755, true],
      ["ssl/certs/a.pem", 0o644, false],
      ["profile.d/x.sh", 0o755, false],
    ];
    const kept: [string, number, boolean][] = [
      ["shadow", 0o644, false],
      ["ssh", 0o755, true],
      ["ssl/private", 0o755, true],
      ["mine", 0o600, false],
      ["mine.d", 0o750, true],
      ["ssl/a.key", 0o644, false],
      ["sudoers.d", 0o755, true],
      ["npmrc", 0o644, false],
    ];
    expect(copied.filter((one) => !isPublic(...one))).toEqual([]);
    expect(kept.filter((one) => isPublic(...one))).toEqual([]);
  });
});

describe("cgroups of a bwrap environment", () => {
  const mount = (root: string, point: string, type: string, options: string): string =>
    `30 20 0:1 ${root} ${point} rw - ${type} cgroup rw,${options}\n`;

  it("are made below our own group in version 1", () => {
    const dir = makeFolder();
    mkdirSync(join(dir, "memory/us"), { recursive: true });
    const files = {
      mounts:
        mount("/", join(dir, "memory"), "cgroup", "memory") + mount("/", join(dir, "none"), "cgroup", "pids"),
      own: "4:memory:/us\n3:pids:/\n0::/\n",
    };
    expect(findCgroups(files)).toEqual({ memory: { version: 1, dir: join(dir, "memory/us") } });
  });

  it("are made in the nearest group that hands its controllers down in version 2", () => {
    const dir = makeFolder();
    mkdirSync(join(dir, "slice/scope"), { recursive: true });
    writeFileSync(join(dir, "slice/cgroup.subtree_control"), "cpu memory pids\n");
    writeFileSync(join(dir, "slice/scope/cgroup.subtree_control"), "\n");
    const files = { mounts: mount("/", dir, "cgroup2", "nsdelegate"), own: "0::/slice/scope\n" };
    const home = findCgroups(files);
    expect(home).toEqual(
      Object.fromEntries(
        ["memory", "pids", "cpu"].map((name) => [name, { version: 2, dir: join(dir, "slice") }]),
      ),
    );
    const group = createCgroup(home, "x", { memory_mb: 10, processes: 5, cpus: 0.5 });
    expect(group.entrances).toEqual([join(dir, "slice/proctor-x/cgroup.procs")]);
    expect(group.enforced).toEqual(["memory_mb", "processes", "cpus"]);
  });

  it("begin at the container's own group inside a container", () => {
    const dir = makeFolder();
    mkdirSync(join(dir, "pids"), { recursive: true });
    const files = {
      mounts: mount("/docker/abc", join(dir, "pids"), "cgroup", "pids"),
      own: "3:pids:/docker/abc\n",
    };
    expect(findCgroups(files)).toEqual({ pids: { version: 1, dir: join(dir, "pids") } });
  });

  it("are none where there is nothing to make them in", () => {
    expect(findCgroups({ mounts: "", own: "0::/\n" })).toEqual({});
    expect(createCgroup({}, "x", { memory_mb: 10 })).toMatchObject({ enforced: [], entrances: [] });
  });
});

describe("mount points", () => {
  it("are made below a root, and never through a link", () => {
    const dir = makeFolder();
    mkdirSync(join(dir, "root/sub"), { recursive: true });
    writeFileSync(join(dir, "root/file"), "");
    expect(makePlace(join(dir, "root"), "/a/b/c")).toBe(true);
    expect(makePlace(join(dir, "root"), "/a/b/c", false)).toBe(false);
    expect(makePlace(join(dir, "root"), "/a/new", false)).toBe(true);
    expect(makePlace(join(dir, "root"), "/file/x")).toBe(false);
    expect(makePlace(join(dir, "root"), "/../escaped")).toBe(false);
    expect(existsSync(join(dir, "escaped"))).toBe(false);
  });
});

it.skipIf(process.platform !== "linux")("a memory file keeps its content without having a name", () => {
  const file = openMemoryFile("a\0b".repeat(50_000));
  expect(file.read()).toBe("a\0b".repeat(50_000));
  file.close();
  file.close();
  expect(file.read()).toBe("");
});

it("words with special characters are quoted for a shell", () => {
  expect(quote("/a/b-c_d.e")).toBe("/a/b-c_d.e");
  expect(quote("it's $x")).toBe(String.raw`'it'\''s $x'`);
});
