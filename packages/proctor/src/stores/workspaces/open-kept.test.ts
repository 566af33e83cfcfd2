import { chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { uuidV7 } from "../../core/id.ts";
import { openWorkspaces } from "./file-workspaces.ts";

const base = temporaryFolder("kept");
const spaces = join(base, "spaces");
const workspaces = openWorkspaces(spaces);

async function kept(keep: boolean): Promise<{ id: string; path: string }> {
  const id = uuidV7();
  const { path } = await workspaces.create(id, { keep });
  writeFileSync(join(path, "out.txt"), "hello");
  return { id, path };
}

describe("the directory of an ended run", () => {
  it.each([true, false])("is found, looked into and removed (keep: %s)", async (keep) => {
    const { id, path } = await kept(keep);
    const workspace = await workspaces.openKept(id);
    expect(await workspace?.find("out.txt")).toMatchObject({ path: "out.txt", sizeBytes: 5 });
    expect(await workspace?.find("../../x")).toBe("outside");
    await workspace?.remove();
    expect(existsSync(path)).toBe(false);
    expect(existsSync(dirname(path))).toBe(true);
    expect(await workspaces.openKept(id)).toBeUndefined();
  });

  it("is not found where no run ever had one, and nothing is made for it", async () => {
    const fresh = openWorkspaces(join(base, "fresh"));
    expect(await fresh.openKept(uuidV7())).toBeUndefined();
    expect(existsSync(join(base, "fresh"))).toBe(false);
  });

  it("is never a folder that only has the name a client gave", async () => {
    await kept(false);
    mkdirSync(join(spaces, "Documents"), { recursive: true });
    for (const id of ["Documents", "", ".", "..", "../spaces", `${uuidV7()}/..`])
      expect(await workspaces.openKept(id)).toBeUndefined();
  });

  it("is not a link or a file of its name", async () => {
    const { path } = await kept(true);
    const linked = uuidV7();
    symlinkSync(path, join(spaces, linked));
    expect(await workspaces.openKept(linked)).toBeUndefined();
    const file = uuidV7();
    writeFileSync(join(spaces, file), "x");
    expect(await workspaces.openKept(file)).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)("is not opened when it belongs to another user", async () => {
    const { id, path } = await kept(true);
    expect(await workspaces.openKept(id)).toBeDefined();
    chownSync(path, 12_345, 12_345);
    expect(await workspaces.openKept(id)).toBeUndefined();
  });
});
