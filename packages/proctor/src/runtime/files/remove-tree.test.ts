import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { removeTree } from "./remove-tree.ts";

describe("removing a tree", () => {
  it("removes folders that were made unreadable and unwritable", async () => {
    const folder = join(temporaryFolder("tree"), "gone");
    mkdirSync(join(folder, "a/b"), { recursive: true });
    writeFileSync(join(folder, "a/b/file"), "");
    chmodSync(join(folder, "a/b"), 0o000);
    chmodSync(join(folder, "a"), 0o500);
    chmodSync(folder, 0o000);
    await removeTree(folder);
    expect(existsSync(folder)).toBe(false);
  });

  it("follows no link", async () => {
    const folder = temporaryFolder("tree");
    mkdirSync(join(folder, "gone"));
    mkdirSync(join(folder, "kept"));
    writeFileSync(join(folder, "kept/file"), "");
    symlinkSync(join(folder, "kept"), join(folder, "gone/link"));
    await removeTree(join(folder, "gone"));
    expect([existsSync(join(folder, "gone")), existsSync(join(folder, "kept/file"))]).toEqual([false, true]);
  });

  it("takes a missing folder, an empty one and a file", async () => {
    const folder = temporaryFolder("tree");
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "file"), "");
    for (const name of ["missing", "empty", "file"]) {
      await removeTree(join(folder, name));
      expect(existsSync(join(folder, name))).toBe(false);
    }
  });
});
