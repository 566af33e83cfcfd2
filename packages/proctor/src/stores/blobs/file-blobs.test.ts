import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { blobStoreCases } from "./blob-store.case.ts";
import { openFileBlobs } from "./file-blobs.ts";
import type { SweptBlobs } from "./swept-blobs.ts";

let directory: string;
let blobs: SweptBlobs;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "proctor-blobs-"));
  blobs = await openFileBlobs(directory);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const bytesOf = (text: string) => new TextEncoder().encode(text);
const pathOf = (hash: string) => join(directory, hash.slice(0, 2), hash.slice(2));
const unfinished = () => readdir(join(directory, "tmp"));

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

blobStoreCases("blobs on disk", async () => {
  const folder = await mkdtemp(join(tmpdir(), "proctor-blobs-"));
  return {
    blobs: await openFileBlobs(folder),
    count: async () => (await filesBelow(folder)).filter((name) => !name.includes("_")).length,
    close: () => rm(folder, { recursive: true, force: true }),
  };
});

describe("putting a blob", () => {
  test("does not write again what is there", async () => {
    const { sha256: hash } = await blobs.put(bytesOf("same"));
    const before = await stat(pathOf(hash));
    await blobs.put(bytesOf("same"));
    await blobs.put(chunksOf(bytesOf("sa"), bytesOf("me")));
    const after = await stat(pathOf(hash));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  test("replaces a file that somebody cut short", async () => {
    const { sha256: hash } = await blobs.put(bytesOf("whole"));
    await writeFile(pathOf(hash), "who");
    await blobs.put(bytesOf("whole"));
    expect(await readFile(pathOf(hash), "utf8")).toBe("whole");
  });

  test("leaves nothing behind when the disk fails", async () => {
    const bytes = bytesOf("blocked");
    await mkdir(join(pathOf(sha256(bytes)), "in the way"), { recursive: true });
    await expect(blobs.put(bytes)).rejects.toHaveProperty("code");
    await expect(blobs.put(chunksOf(bytes))).rejects.toHaveProperty("code");
    expect(await unfinished()).toEqual([]);

    await rm(join(directory, "tmp"), { recursive: true });
    await writeFile(join(directory, "tmp"), "");
    await expect(blobs.put(bytesOf("more"))).rejects.toMatchObject({ code: "DATA_DIR_UNWRITABLE" });
  });

  test("goes on after somebody removed the folders", async () => {
    const { sha256: hash } = await blobs.put(bytesOf("x"));
    await rm(join(directory, hash.slice(0, 2)), { recursive: true });
    await expect(blobs.put(bytesOf("x"))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await blobs.put(bytesOf("x"))).toEqual({ sha256: hash, sizeBytes: 1 });
  });

  test("makes files that only their owner can read", async () => {
    const { sha256: hash } = await blobs.put(bytesOf("private"));
    expect((await stat(pathOf(hash))).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, hash.slice(0, 2)))).mode & 0o777).toBe(0o700);
  });
});

describe("reading a blob", () => {
  test("closes the file when the reader leaves early", async () => {
    const { sha256: hash } = await blobs.put(randomBytes(1_000_000));
    for (let count = 0; count < 20; count++) {
      for await (const chunk of blobs.read(hash)) {
        expect(chunk.byteLength).toBeGreaterThan(0);
        break;
      }
    }
    // Other tests share this process, so only files of this store are counted.
    const open = await readdir("/proc/self/fd").catch(() => []);
    const paths = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
    expect(paths.filter((path) => path.startsWith(directory))).toEqual([]);
  });
});

describe("sweeping blobs", () => {
  test("removes what a crash left, and nothing that is being written", async () => {
    const left = join(directory, "tmp", "left-by-a-crash");
    await writeFile(left, "half");
    await utimes(left, new Date(0), new Date(0));
    await writeFile(join(directory, "tmp", "of-another-process"), "young");

    let written: string[] = [];
    let removed = -1;
    async function* source(): AsyncGenerator<Uint8Array> {
      yield bytesOf("slow");
      written = await unfinished();
      for (const name of written) await utimes(join(directory, "tmp", name), new Date(0), new Date(0));
      await utimes(join(directory, "tmp", "of-another-process"), new Date(), new Date());
      removed = await blobs.sweep();
    }
    const { sha256: hash } = await blobs.put(source());

    expect(written).toHaveLength(3);
    expect(removed).toBe(1);
    expect(await unfinished()).toEqual(["of-another-process"]);
    expect(await blobs.stat(hash)).toBe(4);
  });
});

test("a blob store refuses a path that cannot be a directory", async () => {
  const file = join(directory, "file");
  await writeFile(file, "");
  await expect(openFileBlobs(file)).rejects.toMatchObject({ code: "DATA_DIR_UNWRITABLE" });
});
