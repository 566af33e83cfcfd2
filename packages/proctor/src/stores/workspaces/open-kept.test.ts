import { chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { uuidV7 } from "../../core/id.ts";
import { openWorkspaces } from "./file-workspaces.ts";
import { openKeptWorkspace } from "./open-kept.ts";

const base = temporaryFolder("kept");
const workspaces = openWorkspaces(join(base, "spaces"));

async function kept(keep: boolean): Promise<{ id: string; path: string }> {
  const id = uuidV7();
  const { path } = await workspaces.create(id, { keep });
  writeFileSync(join(path, "out.txt"), "hello");
  return { id, path };
}

describe("the directory of an ended run", () => {
  it.each([true, false])("is found, looked into and removed (keep: %s)", async (keep) => {
    const { id, path } = await kept(keep);
    const workspace = await openKeptWorkspace(id, path);
    expect(await workspace?.find("out.txt")).toMatchObject({ path: "out.txt", sizeBytes: 5 });
    expect(await workspace?.find("../../x")).toBe("outside");
    await workspace?.remove();
    expect(existsSync(path)).toBe(false);
    expect(existsSync(dirname(path))).toBe(true);
    expect(await openKeptWorkspace(id, path)).toBeUndefined();
  });

  it("is not one of another name", async () => {
    const { id, path } = await kept(true);
    expect(await openKeptWorkspace(uuidV7(), path)).toBeUndefined();
    expect(await openKeptWorkspace(id, dirname(path))).toBeUndefined();
    expect(await openKeptWorkspace(id, `${path}/`)).toBeUndefined();
    expect(await openKeptWorkspace(id, `${path}/../${id}`)).toBeUndefined();
    expect(await openKeptWorkspace(id, id)).toBeUndefined();
    expect(await openKeptWorkspace(id, `${path}\0`)).toBeUndefined();
  });

  it("is not a folder that a hub only calls a run", async () => {
    mkdirSync(join(base, "Documents"));
    expect(await openKeptWorkspace("Documents", join(base, "Documents"))).toBeUndefined();
    expect(await openKeptWorkspace("", "/")).toBeUndefined();
    expect(await openKeptWorkspace("..", base)).toBeUndefined();
  });

  it("is neither a file nor reached through a link", async () => {
    const { id, path } = await kept(true);
    const linked = join(base, "linked");
    mkdirSync(linked);
    symlinkSync(path, join(linked, id));
    symlinkSync(dirname(path), join(base, "way"));
    expect(await openKeptWorkspace(id, join(linked, id))).toBeUndefined();
    expect(await openKeptWorkspace(id, join(base, "way", id))).toBeUndefined();
    const file = uuidV7();
    writeFileSync(join(base, file), "x");
    expect(await openKeptWorkspace(file, join(base, file))).toBeUndefined();
    expect(existsSync(path)).toBe(true);
  });

  it.skipIf(process.getuid?.() !== 0)("is not somebody else's (only root can make such a one)", async () => {
    const { id, path } = await kept(true);
    expect(await openKeptWorkspace(id, path)).toBeDefined();
    chownSync(path, 12_345, 12_345);
    expect(await openKeptWorkspace(id, path)).toBeUndefined();
  });
});
