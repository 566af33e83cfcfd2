import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { guardOf, isHarmful } from "./guarded-files.ts";
import { keepsLibraries } from "./loader-cache.ts";

const PLACES = { path: ["/opt/venv/bin", "/usr/bin"], workdir: "/app" };

describe("tests that run over an agent's files", () => {
  it.each([
    "/usr/bin/cat",
    "/usr/local/bin/python3.12",
    "/opt/venv/bin/pytest",
    "/root/.local/bin/uvx",
    "/etc/alternatives/awk",
    "/etc/ld.so.preload",
    "/etc/profile.d/x.sh",
    "/home/ann/.bashrc",
    "/root/.config/pip/pip.conf",
    "/usr/lib/python3.11/json/__init__.py",
    "/usr/lib/python3.11/__pycache__/os.cpython-311.pyc",
    "/usr/local/lib/python3.11/dist-packages/usercustomize.py",
    "/root/.local/lib/python3.11/site-packages/_pytest/main.py",
    "/usr/bin/pyvenv.cfg",
    "/usr/pyvenv.cfg",
    "/conftest.py",
    "/app/pytest.py",
    "/usr/lib/x86_64-linux-gnu/gconv/gconv-modules",
  ])("never take %s", (path) => {
    expect(guardOf(path, "file", PLACES)).toBe("yes");
  });

  it.each([
    "/app/main.py",
    "/app/conftest.py",
    "/app/.venv/lib/python3.11/site-packages/pytest/__init__.py",
    "/usr/local/bin/sqlite3",
    "/usr/bin/gcc",
    "/usr/local/lib/python3.11/dist-packages/numpy/__init__.py",
    "/usr/local/lib/python3.11/dist-packages/numpy/core/x.so",
    "/etc/nginx/nginx.conf",
    "/etc/passwd",
    "/root/.gitconfig",
    "/opt/tool/bin/cat",
  ])("take %s", (path) => {
    expect(guardOf(path, "file", PLACES)).toBe("no");
  });

  it("take a library unless the root has one there", () => {
    expect(guardOf("/usr/lib/x86_64-linux-gnu/libc.so.6", "file", PLACES)).toBe("changed");
    expect(guardOf("/usr/local/lib/libmine.so.1.2", "file", PLACES)).toBe("changed");
  });

  it("take no link in the place of a directory that stands first in PATH", () => {
    expect(guardOf("/root/.local/bin", "link", PLACES)).toBe("yes");
    expect(guardOf("/root/.local/bin", "directory", PLACES)).toBe("no");
  });

  it("take what names directories and commands, and nothing that runs by itself", () => {
    expect(isHarmful("/x/a.pth", "/app/src\n# import nothing\n")).toBe(false);
    expect(isHarmful("/x/a.pth", "/app/src\nimport os\n")).toBe(true);
    expect(isHarmful("/x/a.dist-info/entry_points.txt", "[console_scripts]\na = a:main\n")).toBe(false);
    expect(isHarmful("/x/a.dist-info/entry_points.txt", "[a]\n\n[pytest11]\na = a\n")).toBe(true);
  });
});

describe("a cache of the loader", () => {
  /** As ldconfig writes it: names and where they lead. */
  function cacheOf(libraries: readonly (readonly [string, string])[]): Buffer {
    const header = Buffer.alloc(48);
    header.write("glibc-ld.so.cache1.1", "latin1");
    header.writeUInt32LE(libraries.length, 20);
    const entries = Buffer.alloc(24 * libraries.length);
    const texts: Buffer[] = [];
    let at = header.length + entries.length;
    const text = (value: string): number => {
      const here = at;
      texts.push(Buffer.from(`${value}\0`));
      at += value.length + 1;
      return here;
    };
    for (const [index, [name, path]] of libraries.entries()) {
      entries.writeUInt32LE(text(name), index * 24 + 4);
      entries.writeUInt32LE(text(path), index * 24 + 8);
    }
    return Buffer.concat([header, entries, ...texts]);
  }
  const root = cacheOf([["libc.so.6", "/lib/libc.so.6"]]);

  it("may know more libraries than the root's", () => {
    const more = cacheOf([
      ["libmine.so", "/usr/local/lib/libmine.so"],
      ["libc.so.6", "/lib/libc.so.6"],
    ]);
    expect(keepsLibraries(root, more)).toBe(true);
  });

  it.each([
    ["leads elsewhere", cacheOf([["libc.so.6", "/app/libc.so.6"]])],
    [
      "has another before it",
      cacheOf([
        ["libc.so.6", "/app/libc.so.6"],
        ["libc.so.6", "/lib/libc.so.6"],
      ]),
    ],
    ["lacks one", cacheOf([])],
    ["is none", Buffer.from("anything")],
    ["is cut off", root.subarray(0, 60)],
  ])("is not taken when it %s", (_, left) => {
    expect(keepsLibraries(root, left)).toBe(false);
  });

  it("of this machine is read", ({ skip }) => {
    let own: Buffer;
    try {
      own = readFileSync("/etc/ld.so.cache");
    } catch {
      return skip("this machine has none");
    }
    expect(keepsLibraries(own, own)).toBe(true);
    expect(keepsLibraries(own, Buffer.from("x"))).toBe(false);
  });
});
