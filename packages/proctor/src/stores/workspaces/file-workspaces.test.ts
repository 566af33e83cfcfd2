import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Workspace } from "../../core/ports/workspaces.ts";
import { openWorkspaces } from "./file-workspaces.ts";

const base = temporaryFolder("workspaces");
const workspaces = openWorkspaces(join(base, "spaces"));
let count = 0;

function create(fixture?: string): Promise<Workspace> {
  return workspaces.create(`run-${count++}`, fixture === undefined ? {} : { fixture });
}

async function contentOf(workspace: Workspace, path: string): Promise<string> {
  const file = await workspace.find(path);
  if (typeof file === "string") return file;
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("a workspace", () => {
  it("starts empty and separate from all others, and is gone afterwards", async () => {
    const [first, second] = await Promise.all([create(), create()]);
    writeFileSync(join(first.path, "mine.txt"), "x");
    expect(await second.find("mine.txt")).toBe("missing");
    await first.remove();
    expect(existsSync(first.path)).toBe(false);
    expect(existsSync(second.path)).toBe(true);
    await second.remove();
  });

  it("starts with a copy of its fixture, which stays as it was", async () => {
    const fixture = join(base, "fixture");
    mkdirSync(join(fixture, "sub"), { recursive: true });
    writeFileSync(join(fixture, "sub/a.txt"), "original");
    const workspace = await create(fixture);
    writeFileSync(join(workspace.path, "sub/a.txt"), "changed");
    await workspace.remove();
    expect(readFileSync(join(fixture, "sub/a.txt"), "utf8")).toBe("original");
  });

  it("refuses a fixture that is not there, and leaves nothing", async () => {
    await expect(create(join(base, "nowhere"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(existsSync(join(base, "spaces", `run-${count - 1}`))).toBe(false);
  });

  it("is removed even when the agent locked its folders, and follows no link out", async () => {
    const outside = join(base, "outside");
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, "precious.txt"), "keep me");
    const workspace = await create();
    symlinkSync(outside, join(workspace.path, "link"));
    mkdirSync(join(workspace.path, "locked"));
    writeFileSync(join(workspace.path, "locked/file"), "x");
    chmodSync(join(workspace.path, "locked"), 0);
    await workspace.remove();
    expect(existsSync(workspace.path)).toBe(false);
    expect(readFileSync(join(outside, "precious.txt"), "utf8")).toBe("keep me");
  });

  it("sweeps what a crash left behind, and nothing beside it", async () => {
    const swept = openWorkspaces(join(base, "swept"));
    const left = await swept.create("left", {});
    writeFileSync(join(left.path, "file"), "x");
    writeFileSync(join(base, "neighbour"), "x");
    await swept.sweep();
    expect(existsSync(left.path)).toBe(false);
    expect(existsSync(join(base, "neighbour"))).toBe(true);
  });
});

describe("a file that an agent names", () => {
  it("is found by its relative and its absolute path", async () => {
    const workspace = await create();
    mkdirSync(join(workspace.path, "out"));
    writeFileSync(join(workspace.path, "out/report.md"), "hello");
    expect(await contentOf(workspace, "out/report.md")).toBe("hello");
    expect(await contentOf(workspace, join(workspace.path, "out/report.md"))).toBe("hello");
    expect(await workspace.find("out/report.md")).toMatchObject({ path: "out/report.md", sizeBytes: 5 });
  });

  it.each([
    ["a way up", "../escape"],
    ["a hidden way up", "a/../../escape"],
    ["an absolute path", "/etc/passwd"],
    ["a URL", "http://127.0.0.1/secret"],
    ["a file URL", "file:///etc/passwd"],
    ["a NUL", "a\0b"],
  ])("is outside: %s", async (_name, path) => {
    expect(await (await create()).find(path)).toBe("outside");
  });

  it("is outside when a link leads there, through a folder too", async () => {
    const workspace = await create();
    symlinkSync("/etc/passwd", join(workspace.path, "innocent.txt"));
    symlinkSync("/etc", join(workspace.path, "folder"));
    symlinkSync("nowhere", join(workspace.path, "dangling"));
    expect(await workspace.find("innocent.txt")).toBe("outside");
    expect(await workspace.find("folder/passwd")).toBe("outside");
    expect(await workspace.find("dangling")).toBe("missing");
  });

  it("is refused when it is a folder or a pipe, without waiting", async () => {
    const workspace = await create();
    mkdirSync(join(workspace.path, "folder"));
    expect(await workspace.find("folder")).toBe("not-a-file");
    if (spawnSync("mkfifo", [join(workspace.path, "pipe")]).status === 0) {
      expect(await workspace.find("pipe")).toBe("not-a-file");
    }
  });
});

describe("patterns of files", () => {
  it.each([
    [["*.md"], ["a.md"]],
    [["**/*.md"], ["a.md", "deep/er/c.md", "sub/b.md"]],
    [["sub/*"], ["sub/b.md"]],
    [["**"], ["a.md", "a.txt", "deep/er/c.md", "sub/b.md"]],
    [["?.txt"], ["a.txt"]],
    [
      ["a.md", "*.txt"],
      ["a.md", "a.txt"],
    ],
    [["[a].md"], []],
  ])("%j match the expected files", async (patterns, expected) => {
    const workspace = await create();
    for (const folder of ["sub", "deep/er"]) mkdirSync(join(workspace.path, folder), { recursive: true });
    for (const file of ["a.md", "a.txt", "sub/b.md", "deep/er/c.md"])
      writeFileSync(join(workspace.path, file), "x");
    symlinkSync("/etc/passwd", join(workspace.path, "link.md"));
    const files = await workspace.list(patterns, 100);
    expect(files.map(({ path }) => path)).toEqual(expected);
  });
});

describe("what is at a path that an agent names", () => {
  it("is found out without opening it, and never outside of the workspace", async () => {
    const workspace = await create();
    mkdirSync(join(workspace.path, "folder"));
    writeFileSync(join(workspace.path, "file"), "x");
    for (const [name, target] of Object.entries({ in: "file", into: "folder", out: "/etc", gone: "nowhere" }))
      symlinkSync(target, join(workspace.path, name));
    symlinkSync("loop", join(workspace.path, "loop"));
    const kinds = await Promise.all(
      [
        "file",
        "in",
        "folder",
        "into",
        ".",
        "none",
        "gone",
        "file/x",
        "out",
        "../x",
        "/etc",
        "a\0b",
        "loop",
      ].map(async (name) => [name, await workspace.kind(name)]),
    );
    expect(Object.fromEntries(kinds)).toEqual({
      file: "file",
      in: "file",
      folder: "directory",
      into: "directory",
      ".": "directory",
      none: "missing",
      gone: "missing",
      "file/x": "missing",
      out: "outside",
      "../x": "outside",
      "/etc": "outside",
      "a\0b": "outside",
      loop: "other",
    });
    if (spawnSync("mkfifo", [join(workspace.path, "pipe")]).status === 0)
      expect(await workspace.kind("pipe")).toBe("other");
  });

  it("is counted in a folder without links", async () => {
    const workspace = await create();
    mkdirSync(join(workspace.path, "a/b"), { recursive: true });
    for (const file of ["x.md", "a/y.md", "a/z.txt", "a/b/w.md"])
      writeFileSync(join(workspace.path, file), "x");
    symlinkSync("/etc/passwd", join(workspace.path, "a/link.md"));
    symlinkSync("/etc", join(workspace.path, "out"));
    const count = async (folder: string, pattern: string): Promise<number> =>
      (await workspace.count(folder, pattern)).files;
    expect(await count(".", "*")).toBe(1);
    expect(await count("a", "*")).toBe(2);
    expect(await count("a", "*.md")).toBe(1);
    expect(await count("a", "**/*.md")).toBe(2);
    expect(await count(".", "a/*")).toBe(2);
    expect(await workspace.count("none", "*")).toEqual({ files: 0, complete: true });
    expect(await workspace.count("out", "*")).toEqual({ files: 0, complete: false });
  });
});
