import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { isInside } from "./find-inside.ts";
import { workspaceAt } from "./workspace-at.ts";

const base = temporaryFolder("workspace-at");
let count = 0;

function setup(files: readonly string[]) {
  const path = join(base, String(count++));
  mkdirSync(path);
  const write = (name: string, text = "x"): void => {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  for (const name of files) write(name);
  return { path, write, workspace: workspaceAt(path, () => Promise.resolve()) };
}

const paths = (files: readonly { path: string }[]): string[] => files.map(({ path }) => path);

describe("changed files of a directory", () => {
  it("are those that were made or rewritten since the mark, by path", async () => {
    const { workspace, write } = setup(["kept", "rewritten", "sub/kept"]);
    const mark = await workspace.mark();
    write("rewritten", "longer than before");
    write("sub/new");
    write("a");
    expect(paths((await workspace.changed(mark, ["**"], 10)).files)).toEqual(["a", "rewritten", "sub/new"]);
    expect(paths((await workspace.changed(mark, ["*"], 10)).files)).toEqual(["a", "rewritten"]);
  });

  it("are none in folders of tools", async () => {
    const { workspace, write } = setup([]);
    const mark = await workspace.mark();
    for (const folder of [".git", "node_modules", "sub/__pycache__", "venv", "work"]) write(`${folder}/file`);
    expect(await workspace.changed(mark, ["**"], 10)).toMatchObject({
      files: [{ path: "work/file" }],
      complete: true,
    });
  });

  it("are not complete beyond the limit", async () => {
    const { workspace } = setup(["a", "b", "c"]);
    const changed = await workspace.changed(new Map(), ["*"], 2);
    expect(changed.complete).toBe(false);
    expect(paths(changed.files)).toEqual(["a", "b"]);
  });
});

describe("a file that was found in a directory", () => {
  it("fails to be read when a link has taken its place", async () => {
    const { workspace, path } = setup(["file"]);
    const found = await workspace.find("file");
    if (typeof found === "string") throw new Error(found);
    rmSync(join(path, "file"));
    symlinkSync("/etc/passwd", join(path, "file"));
    await expect(found.read()[Symbol.asyncIterator]().next()).rejects.toThrow("the file is gone");
  });

  it("has the path of the real file when its name leads through a link inside", async () => {
    const { workspace, path } = setup(["real/file"]);
    symlinkSync("real", join(path, "link"));
    expect(await workspace.find("link/file")).toMatchObject({ path: "real/file", sizeBytes: 1 });
    expect(await workspace.kind("link")).toBe("directory");
  });
});

it("listing a directory stops at the limit, in the order of the paths", async () => {
  const { workspace } = setup(["c", "a", "b/d"]);
  expect(paths(await workspace.list(["**"], 2))).toEqual(["a", "b/d"]);
});

it.each([
  ["/w", true],
  ["/w/a", true],
  ["/w/..a", true],
  ["/", false],
  ["/wa", false],
  ["/w/../x", false],
])("whether %s is inside of /w is answered by its path: %s", (path, expected) => {
  expect(isInside("/w", path)).toBe(expected);
});
