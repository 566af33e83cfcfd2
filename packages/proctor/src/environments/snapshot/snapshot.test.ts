import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { assert, asyncProperty, uint8Array } from "fast-check";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { decodeSnapshot } from "./decode-snapshot.ts";
import { encodeSnapshot } from "./encode-snapshot.ts";
import type { SnapshotEntry, SnapshotState } from "./snapshot.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

const metadata = { mode: 0o644, uid: 0, gid: 0, mtime: new Date("2024-05-06T07:08:09Z") };
const MAX = 10_000_000;

function file(path: string, content: string | Uint8Array, more: object = {}): SnapshotEntry {
  const bytes = Buffer.from(content);
  return { ...metadata, path, type: "file", size: bytes.length, content: pieces(bytes), ...more };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

function state(entries: SnapshotEntry[], removed: string[] = [], opaque: string[] = []): SnapshotState {
  return {
    removed,
    opaque,
    entries: (async function* () {
      yield* entries;
    })(),
  };
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(decoded: SnapshotState): Promise<object[]> {
  const read: object[] = [];
  for await (const entry of decoded.entries) {
    if (entry.type !== "file") read.push(entry);
    else {
      const { content, ...rest } = entry;
      read.push({ ...rest, content: (await collect(content)).toString("latin1") });
    }
  }
  return read;
}

describe("a snapshot", () => {
  it("comes back as it was, however it is cut", async () => {
    const long = `/deep/${"x".repeat(180)}/ümlaut`;
    const entries = (): SnapshotEntry[] => [
      { ...metadata, path: "/app", type: "directory", mode: 0o1777, uid: 12, gid: 34 },
      file("/app/a.txt", "hello", { mode: 0o4755 }),
      file("/app/empty", ""),
      file(long, "y".repeat(5000)),
      { ...metadata, path: "/app/link", type: "symlink", target: "../etc/passwd" },
      { ...metadata, path: "/app/other", type: "link", target: "/app/a.txt" },
      { ...metadata, path: "/app/pipe", type: "fifo" },
    ];
    const bytes = await collect(
      encodeSnapshot(state(entries(), ["/etc/gone"], ["/var/lib/x"]), { maxBytes: MAX }),
    );
    for (const size of [1, 511, 512, 4096, bytes.length]) {
      const decoded = await decodeSnapshot(inPieces(bytes, size));
      expect(decoded.removed).toEqual(["/etc/gone"]);
      expect(decoded.opaque).toEqual(["/var/lib/x"]);
      expect(await readAll(decoded)).toEqual(await readAll(state(entries())));
    }
  });

  it("is a tar archive that any tar unpacks", async () => {
    const dir = await mkdtemp(join(tmpdir(), "proctor-snapshot-"));
    try {
      const entries = [file("/app/a.txt", "hello", { mode: 0o755 })];
      await writeFile(join(dir, "s.tar"), encodeSnapshot(state(entries), { maxBytes: MAX }));
      await promisify(execFile)("tar", ["-xf", "s.tar"], { cwd: dir });
      expect(await readFile(join(dir, "app/a.txt"), "utf8")).toBe("hello");
      expect((await stat(join(dir, "app/a.txt"))).mode & 0o777).toBe(0o755);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it("has no secret in it when it is redacted, also where the length changes", async () => {
    const redact = (content: Uint8Array): Uint8Array =>
      Buffer.from(Buffer.from(content).toString("latin1").replaceAll("hunter2", "[hidden]"), "latin1");
    const entries = [file("/a", `x${"-".repeat(998)}hunter2`), file("/b", "nothing")];
    const bytes = await collect(encodeSnapshot(state(entries), { maxBytes: MAX, redact }));
    expect(bytes.includes("hunter2")).toBe(false);
    const read = await readAll(await decodeSnapshot(inPieces(bytes, 700)));
    expect(read).toMatchObject([
      { path: "/a", size: 1007 },
      { path: "/b", content: "nothing" },
    ]);
  });

  it("is refused when it is larger than it may be, before a large file is read", async () => {
    const large = { ...metadata, path: "/a", type: "file" as const, size: MAX + 1, content: neverRead() };
    await expect(collect(encodeSnapshot(state([large]), { maxBytes: MAX }))).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    const many = Array.from({ length: 20 }, (_, index) => file(`/f${index}`, "z".repeat(1000)));
    await expect(collect(encodeSnapshot(state(many), { maxBytes: 9000 }))).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
  });

  it("fails when what it reads fails", async () => {
    const entries = (async function* (): AsyncGenerator<SnapshotEntry> {
      yield file("/a", "b");
      throw new Error("the disk is gone");
    })();
    await expect(
      collect(encodeSnapshot({ removed: [], opaque: [], entries }, { maxBytes: MAX })),
    ).rejects.toThrow("the disk is gone");
  });

  it("can be left in the middle, on both sides", async () => {
    const entries = (): SnapshotEntry[] =>
      Array.from({ length: 50 }, (_, index) => file(`/f${index}`, "z".repeat(100_000)));
    for await (const chunk of encodeSnapshot(state(entries()), { maxBytes: MAX })) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    const bytes = await collect(encodeSnapshot(state(entries()), { maxBytes: MAX }));
    const decoded = await decodeSnapshot(inPieces(bytes, 10_000));
    for await (const entry of decoded.entries) {
      expect(entry.path).toBe("/f0");
      break;
    }
  });

  it("is refused when it is something else, cut off, or leads out of the root", async () => {
    const whole = await collect(encodeSnapshot(state([file("/a", "b".repeat(3000))]), { maxBytes: MAX }));
    const changes = JSON.stringify({ version: 1, removed: [], opaque: [] });
    const cases: [string, Buffer][] = [
      ["empty", Buffer.alloc(0)],
      ["garbage", Buffer.from("not a tar".repeat(200))],
      ["cut", whole.subarray(0, 3000)],
      ["another archive", await archive([{ name: "x", content: "y" }])],
      ["bad JSON", await archive([{ name: ".proctor/changes.json", content: "{" }])],
      [
        "another version",
        await archive([{ name: ".proctor/changes.json", content: changes.replace("1", "2") }]),
      ],
      [
        "removes elsewhere",
        await archive([{ name: ".proctor/changes.json", content: changes.replace("[]", '["/../etc"]') }]),
      ],
      [
        "dots",
        await archive([
          { name: ".proctor/changes.json", content: changes },
          { name: "../../etc/x", content: "y" },
        ]),
      ],
      [
        "a device",
        await archive([
          { name: ".proctor/changes.json", content: changes },
          { name: "sda", type: "block-device" },
        ]),
      ],
      [
        "a link out",
        await archive([
          { name: ".proctor/changes.json", content: changes },
          { name: "l", type: "link", linkname: "../x" },
        ]),
      ],
    ];
    for (const [name, bytes] of cases) {
      await expect(decodeSnapshot(inPieces(bytes, 500)).then(readAll), name).rejects.toThrow();
    }
  });

  it("survives any bytes", async () => {
    await assert(
      asyncProperty(uint8Array({ maxLength: 3000 }), async (bytes) => {
        await decodeSnapshot(inPieces(Buffer.from(bytes), 512))
          .then(readAll)
          .catch(() => undefined);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

async function* neverRead(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error("it was read"));
}

interface Member {
  name: string;
  content?: string;
  type?: "block-device" | "link";
  linkname?: string;
}

async function archive(members: readonly Member[]): Promise<Buffer> {
  const stream = pack();
  for (const { name, content = "", type = "file", linkname } of members) {
    stream.entry({ name, type, ...(linkname !== undefined && { linkname }) }, content);
  }
  stream.finalize();
  return collect(stream as AsyncIterable<Uint8Array>);
}
