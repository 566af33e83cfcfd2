import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { packArchive, type MemberHeader } from "../../runtime/archive/pack-archive.ts";
import { unpackOut } from "./unpack-out.ts";

type Member = Partial<MemberHeader> & { name: string; content?: string };

const LIMITS = { maxBytes: 1000, strip: true };

function archive(members: readonly Member[]): Promise<Readable> {
  return packArchive(async (writer) => {
    for (const { content = "", type = "file", ...header } of members) {
      if (type !== "file") await writer.add({ ...header, type });
      else
        await writer.addFile(
          { ...header, type, size: Buffer.byteLength(content) },
          Readable.from([Buffer.from(content)]),
        );
    }
  });
}

describe("what comes out of a container", () => {
  let folder = "";
  let target = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "proctor-unpack-"));
    target = join(folder, "target");
    await mkdir(target);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const unpack = async (
    members: readonly Member[],
    limits: Partial<typeof LIMITS> & { maxFiles?: number } = {},
  ) => unpackOut(await archive(members), target, { ...LIMITS, ...limits });
  const names = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).toSorted();

  it("is written below the target, with its modes but never with more rights than its reader's", async () => {
    const copied = await unpack([
      { name: "dir", type: "directory" },
      { name: "dir/run", content: "hi", mode: 0o4755 },
      { name: "dir/deep/er/file", content: "deep", mode: 0o600 },
    ]);
    expect(copied).toEqual({ files: 2, bytes: 6, leftOut: [] });
    expect(await readFile(join(target, "deep/er/file"), "utf8")).toBe("deep");
    expect((await stat(join(target, "run"))).mode & 0o7777).toBe(0o755);
  });

  it.each([["../escaped"], ["dir/../../escaped"], ["/escaped"], ["dir/./../../escaped"]])(
    "never leaves it: %s",
    async (name) => {
      const { leftOut, files } = await unpack([{ name, content: "x" }], { strip: false });
      expect(files).toBe(0);
      expect(leftOut).toEqual([expect.stringContaining("leads elsewhere")]);
      expect(await names()).toEqual(["target"]);
    },
  );

  it("follows no link that comes before a file, hard or soft", async () => {
    const { leftOut, files } = await unpack([
      { name: "dir/out", type: "symlink", linkname: ".." },
      { name: "dir/out/escaped", content: "x" },
      { name: "dir/hard", type: "link", linkname: "/etc/passwd" },
      { name: "dir/hard2", type: "link", linkname: "dir/../../../etc/passwd" },
      { name: "dir/device", type: "character-device" },
      { name: "dir/pipe", type: "fifo" },
    ]);
    expect(files).toBe(1);
    expect(leftOut.map((one) => one.split(":")[0])).toEqual(["out", "hard", "hard2", "device", "pipe"]);
    expect(await names()).toEqual(["target", "target/out", "target/out/escaped"]);
  });

  it("copies a file again that has two names", async () => {
    const two = [
      { name: "dir/one", content: "1234" },
      { name: "dir/two", type: "link", linkname: "dir/one" },
    ] as const;
    expect(await unpack(two)).toEqual({ files: 2, bytes: 8, leftOut: [] });
    expect(await readFile(join(target, "two"), "utf8")).toBe("1234");
  });

  it("takes each name once, and nothing where something else is", async () => {
    const { leftOut } = await unpack([
      { name: "dir/a", content: "first" },
      { name: "dir/a", content: "second" },
      { name: "dir/a/b", content: "below a file" },
      { name: `dir/${"x".repeat(300)}`, content: "too long a name" },
    ]);
    expect(leftOut).toHaveLength(3);
    expect(await readFile(join(target, "a"), "utf8")).toBe("first");
  });

  it("stops at its limits before it has written too much", async () => {
    await expect(
      unpack([
        { name: "d/a", content: "x".repeat(600) },
        { name: "d/b", content: "x".repeat(401) },
      ]),
    ).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    expect(await names()).toEqual(["target", "target/a"]);
    const many = Array.from({ length: 4 }, (_, index) => ({ name: `d/more${index}` }));
    await expect(unpack(many, { maxFiles: 3 })).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    const hard = [
      { name: "d/x", content: "y".repeat(300) },
      ...many.map(({ name }) => ({ name: `${name}h`, type: "link" as const, linkname: "d/x" })),
    ];
    await expect(unpack(hard)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it("is refused when it is cut off or no archive", async () => {
    const whole: Buffer[] = [];
    for await (const piece of await archive([{ name: "d/a", content: "x".repeat(900) }])) whole.push(piece);
    const cut = Readable.from([Buffer.concat(whole).subarray(0, 1000)]);
    await expect(unpackOut(cut, target, LIMITS)).rejects.toThrow();
    await expect(unpackOut(Readable.from([Buffer.alloc(2000, "no")]), target, LIMITS)).rejects.toThrow();
  });
});
