import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
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
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      members.push([header.name, header.type, header.linkname ?? null, Buffer.concat(pieces).toString()]);
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
});
