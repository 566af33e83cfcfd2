import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { collectBytes } from "../http/limited-bytes.ts";
import { addEntry } from "./add-entry.ts";
import { packArchive } from "./pack-archive.ts";
import { readArchive } from "./read-archive.ts";

describe("an archive", () => {
  it("comes back member by member as it was packed", async () => {
    const packed = await packArchive(async (writer) => {
      await writer.add({ name: "folder", type: "directory", mode: 0o755 });
      await writer.addFile(
        { name: "folder/a", type: "file", size: 5 },
        Readable.from([Buffer.from("hello")]),
      );
      await writer.add({ name: "link", type: "symlink", linkname: "folder/a" });
    });
    const members: unknown[] = [];
    for await (const { header, content } of readArchive(packed)) {
      const text = Buffer.from(await collectBytes(content)).toString();
      members.push([header.name, header.type, header.linkname ?? null, text]);
    }
    expect(members).toEqual([
      ["folder", "directory", null, ""],
      ["folder/a", "file", null, "hello"],
      ["link", "symlink", "folder/a", ""],
    ]);
  });

  it("fails for its reader with what went wrong while it was packed", async () => {
    const packed = await packArchive(() => Promise.reject(new Error("the disk is gone")));
    const read = async (): Promise<void> => {
      for await (const _ of packed) continue;
    };
    await expect(read()).rejects.toThrow("the disk is gone");
  });

  it("closes what it was reading when nobody reads it any more, even while it waits for the next piece", async () => {
    const left = new AbortController();
    const leaving = once(left.signal, "abort");
    let isClosed = false;
    async function* content(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.alloc(1_000_000);
        left.abort();
        await closed;
        yield Buffer.alloc(1_000_000);
      } finally {
        isClosed = true;
      }
    }
    let filling: Promise<void> = Promise.resolve();
    const packed = await packArchive((writer) => {
      filling = writer.addFile({ name: "a", type: "file", size: 2_000_000 }, content());
      return filling;
    });
    const closed = once(packed, "close");
    packed.resume();
    await leaving;
    packed.destroy();
    await expect(filling).rejects.toThrow("nobody reads the archive any more");
    expect(isClosed).toBe(true);
  });

  it("holds files, directories and links of this machine with their modes, and nothing else", async () => {
    const folder = temporaryFolder("archive");
    mkdirSync(join(folder, "sub"), { mode: 0o750 });
    writeFileSync(join(folder, "empty"), "", { mode: 0o640 });
    writeFileSync(join(folder, "file"), "hello", { mode: 0o600 });
    symlinkSync("file", join(folder, "link"));
    symlinkSync("/etc", join(folder, "out"));
    const hasPipe = spawnSync("mkfifo", [join(folder, "pipe")]).status === 0;
    const target = async (path: string): Promise<string> => `to ${basename(path)}`;
    const packed = await packArchive(async (writer) => {
      for (const name of ["sub", "empty", "file", "link", ...(hasPipe ? ["pipe"] : [])])
        await addEntry(writer, { path: join(folder, name), stats: lstatSync(join(folder, name)) }, { name });
      const path = join(folder, "out");
      await addEntry(writer, { path, stats: lstatSync(path), target }, { name: "renamed", mode: 0o777 });
    });
    const members: unknown[] = [];
    for await (const { header, content } of readArchive(packed)) {
      const text = Buffer.from(await collectBytes(content)).toString();
      members.push([header.name, header.type, header.mode, header.linkname ?? text]);
    }
    expect(members).toEqual([
      ["sub", "directory", 0o750, ""],
      ["empty", "file", 0o640, ""],
      ["file", "file", 0o600, "hello"],
      ["link", "symlink", expect.any(Number), "file"],
      ["renamed", "symlink", 0o777, "to out"],
    ]);
  });
});
