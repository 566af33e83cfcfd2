import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ByteRange } from "../../core/ports/blob-store.ts";
import { type FileBlobs, openFileBlobs } from "./file-blobs.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

let directory: string;
let blobs: FileBlobs;

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

async function readAll(hash: string, range?: ByteRange): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(hash, range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe("putting a blob", () => {
  test("keeps bytes under their hash, however they came", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 4 }), async (chunks) => {
        const whole = new Uint8Array(Buffer.concat(chunks));
        const expected = { sha256: sha256(whole), sizeBytes: whole.length };
        expect(await blobs.put(chunksOf(...chunks))).toEqual(expected);
        expect(await blobs.put(whole)).toEqual(expected);
        expect(await readFile(pathOf(expected.sha256))).toEqual(Buffer.from(whole));
        expect(await blobs.stat(expected.sha256)).toBe(whole.length);
        expect(await readAll(expected.sha256)).toEqual(Buffer.from(whole));
      }),
      { numRuns: propertyRuns(25) },
    );
    expect(await unfinished()).toEqual([]);
  });

  test("keeps megabytes that come as a stream", async () => {
    const chunk = randomBytes(300_000);
    const { sha256: hash, sizeBytes } = await blobs.put(chunksOf(...Array<Uint8Array>(20).fill(chunk)));
    expect(sizeBytes).toBe(6_000_000);
    expect(sha256(await readAll(hash))).toBe(hash);
  });

  test("keeps one file of what many put at once", async () => {
    const bytes = randomBytes(100_000);
    const puts = Array.from({ length: 20 }, (_, index) => blobs.put(index % 2 ? bytes : chunksOf(bytes)));
    const refs = await Promise.all(puts);
    expect(new Set(refs.map((ref) => ref.sha256))).toEqual(new Set([sha256(bytes)]));
    expect(await filesBelow(directory)).toHaveLength(1);
    expect(await readFile(pathOf(sha256(bytes)))).toEqual(bytes);
  });

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

  test("leaves nothing behind when the source fails midway, and passes its error on", async () => {
    const failure = new Error("the agent hung up");
    async function* source(): AsyncGenerator<Uint8Array> {
      yield bytesOf("half");
      throw failure;
    }
    await expect(blobs.put(source())).rejects.toBe(failure);
    expect(await filesBelow(directory)).toEqual([]);
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
  test("reads ranges, their end included and cut at the end of the bytes", async () => {
    const { sha256: hash } = await blobs.put(bytesOf("0123456789"));
    expect((await readAll(hash, { start: 0, end: 0 })).toString()).toBe("0");
    expect((await readAll(hash, { start: 3, end: 5 })).toString()).toBe("345");
    expect((await readAll(hash, { start: 8, end: 99 })).toString()).toBe("89");
  });

  test.each([
    { start: 10, end: 12 },
    { start: 5, end: 4 },
    { start: -1, end: 4 },
    { start: 0.5, end: 4 },
    { start: Number.NaN, end: 4 },
  ])("refuses the range $start-$end of ten bytes", async (range) => {
    const { sha256: hash } = await blobs.put(bytesOf("0123456789"));
    await expect(readAll(hash, range)).rejects.toMatchObject({
      code: "RANGE_NOT_SATISFIABLE",
      details: { size_bytes: 10 },
    });
  });

  test("gives nothing for an empty blob", async () => {
    const { sha256: hash } = await blobs.put(new Uint8Array());
    expect(await blobs.stat(hash)).toBe(0);
    expect(await readAll(hash)).toHaveLength(0);
    await expect(readAll(hash, { start: 0, end: 0 })).rejects.toMatchObject({
      code: "RANGE_NOT_SATISFIABLE",
    });
  });

  test("says when there are no such bytes", async () => {
    const unknown = sha256(bytesOf("never put"));
    expect(await blobs.stat(unknown)).toBeUndefined();
    await expect(readAll(unknown)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
  });

  test("refuses everything that is not a hash", async () => {
    await writeFile(join(directory, "outside"), "secret");
    const { sha256: hash } = await blobs.put(bytesOf("x"));
    for (const odd of [
      "",
      "..",
      "../outside",
      `${hash.slice(0, 2)}/${hash.slice(2)}`,
      "tm/p",
      `..${hash}`,
      hash.toUpperCase(),
      `${hash}\n`,
      `${hash}\0`,
    ]) {
      expect(await blobs.stat(odd)).toBeUndefined();
      await expect(readAll(odd)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    }
  });

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
