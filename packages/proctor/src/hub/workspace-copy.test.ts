import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { uuidV7 } from "../core/id.ts";
import { packArchive } from "../runtime/archive/pack-archive.ts";
import { openWorkspaces } from "../stores/workspaces/file-workspaces.ts";
import { copyWorkspace } from "./workspace-copy.ts";

const workspaces = openWorkspaces(join(temporaryFolder("copied"), "spaces"));

describe("a copied workspace", () => {
  it("answers every question as the directory itself does", async () => {
    const id = uuidV7();
    const { path } = await workspaces.create(id, {});
    mkdirSync(join(path, "deep/er"), { recursive: true });
    mkdirSync(join(path, "empty"));
    writeFileSync(join(path, "deep/er/a.txt"), "hello");
    writeFileSync(join(path, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(path, "nothing"), "");
    const links = { in: "run.sh", own: join(path, "deep"), out: "/etc/passwd", up: "../..", gone: "nowhere" };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(path, name));
    const original = await workspaces.openKept(id);
    if (original === undefined) throw new Error("not kept");
    const copied = await copyWorkspace(await original.pack());
    const { view: copy } = copied;
    const names = [
      "deep/er/a.txt",
      "own/er/a.txt",
      "empty",
      "nothing",
      "none",
      "../x",
      ...Object.keys(links),
    ];
    for (const name of names)
      expect([name, await copy.kind(name)]).toEqual([name, await original.kind(name)]);
    const listed = async (view: typeof copy) =>
      (await view.list(["**"], 100)).map((file) => [file.path, file.sizeBytes]);
    expect(await listed(copy)).toEqual(await listed(original));
    expect(await copy.count("deep", "**/*.txt")).toEqual({ files: 1, complete: true });
    expect(readFileSync(join(copy.path, "own/er/a.txt"), "utf8")).toBe("hello");
    await copied.remove();
    expect(existsSync(copy.path)).toBe(false);
    expect(existsSync(path)).toBe(true);
  });

  it.each(["../escaped", "/escaped", "a/../../escaped"])(
    "is refused when the archive holds a file called %s",
    async (name) => {
      const archive = await packArchive((writer) =>
        writer.addFile({ name, type: "file", size: 1 }, Readable.from([Buffer.from("x")])),
      );
      await expect(copyWorkspace(archive)).rejects.toThrow("outside of the workspace");
    },
  );

  it("writes nothing through a link of the archive", async () => {
    const archive = await packArchive(async (writer) => {
      await writer.add({ name: "out", type: "symlink", linkname: "/tmp" });
      await writer.addFile({ name: "out/escaped", type: "file", size: 1 }, Readable.from([Buffer.from("x")]));
    });
    await expect(copyWorkspace(archive)).rejects.toThrow();
    expect(existsSync("/tmp/escaped")).toBe(false);
  });
});
