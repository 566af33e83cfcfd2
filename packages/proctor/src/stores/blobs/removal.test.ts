import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { uuidV7 } from "../../core/id.ts";
import type { StoredFiles } from "../../core/ports/store.ts";
import { openFileBlobs, type FileBlobs } from "./file-blobs.ts";

let directory: string;
let blobs: FileBlobs;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "proctor-removal-"));
  blobs = await openFileBlobs(directory);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const nobody = () => Promise.resolve(false);
const named = (rest = "step_1_report.txt") => `${uuidV7()}_${rest}`;

async function read(sha256: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(sha256)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("removing blobs", () => {
  test("removes bytes that nobody needs, and reports it", async () => {
    const ref = await blobs.put(bytesOf("x"));
    blobs.release(ref);
    expect(await blobs.remove(ref.sha256, nobody)).toBe(true);
    expect(await blobs.stat(ref.sha256)).toBeUndefined();
    expect(await blobs.remove(ref.sha256, nobody)).toBe(true);
  });

  test("keeps what is referred to, and what was put and not yet recorded", async () => {
    const first = await blobs.put(bytesOf("x"));
    expect(await blobs.remove(first.sha256, nobody)).toBe(false);
    const again = await blobs.put(bytesOf("x"));
    blobs.release(first);
    blobs.release(first);
    expect(await blobs.remove(first.sha256, nobody)).toBe(false);
    blobs.release(again);
    expect(await blobs.remove(first.sha256, () => Promise.resolve(true))).toBe(false);
    expect(await read(first.sha256)).toBe("x");
  });

  test("lets a writer that puts the same bytes meanwhile write them again", async () => {
    blobs.release(await blobs.put(bytesOf("x")));
    const puts: Promise<unknown>[] = [];
    const removed = await blobs.remove(hashOf("x"), async () => {
      puts.push(blobs.put(bytesOf("x")), blobs.put(chunks("x")));
      // Long enough for a put that would not wait.
      for (let turn = 0; turn < 50; turn++) await stat(directory);
      return false;
    });
    expect(removed).toBe(true);
    await Promise.all(puts);
    expect(await read(hashOf("x"))).toBe("x");
  });

  test("never loses bytes that somebody put and recorded, whatever the order", async () => {
    const recorded = new Set<string>();
    const isReferenced = async (sha256: string) => {
      await new Promise(setImmediate);
      return recorded.has(sha256);
    };
    const jobs = Array.from({ length: 60 }, async (_, index) => {
      const text = `content ${index % 3}`;
      if (index % 2 === 0) return void (await blobs.remove(hashOf(text), isReferenced));
      const ref = await blobs.put(index % 4 === 1 ? bytesOf(text) : chunks(text));
      await new Promise(setImmediate);
      recorded.add(ref.sha256);
      blobs.release(ref);
    });
    await Promise.all(jobs);
    for (const sha256 of recorded) expect(await read(sha256)).toMatch(/^content/);
    expect(recorded.size).toBe(3);
  });

  test("refuses everything that is not a hash, when removing", async () => {
    await writeFile(join(directory, "mine"), "x");
    expect(await blobs.remove("../mine", nobody)).toBe(false);
    expect(await blobs.remove("mine", nobody)).toBe(false);
    expect(await readFile(join(directory, "mine"), "utf8")).toBe("x");
  });
});

describe("names of blobs", () => {
  test("lead to the same bytes, and are removed on their own", async () => {
    const { sha256 } = await blobs.put(bytesOf("report"));
    const name = named();
    await blobs.link(sha256, name);
    expect(await readFile(join(directory, name), "utf8")).toBe("report");
    expect((await stat(join(directory, name))).nlink).toBe(2);
    await blobs.unlink(name);
    await blobs.unlink(name);
    expect(await readdir(directory)).not.toContain(name);
    expect(await read(sha256)).toBe("report");
  });

  test("can be given only once", async () => {
    const { sha256 } = await blobs.put(bytesOf("one"));
    const other = await blobs.put(bytesOf("two"));
    const name = named();
    await blobs.link(sha256, name);
    await expect(blobs.link(other.sha256, name)).rejects.toMatchObject({ code: "NAME_TAKEN" });
    expect(await readFile(join(directory, name), "utf8")).toBe("one");
  });

  test.each([
    "",
    "..",
    "x",
    "ab",
    "tmp",
    "../x",
    `${uuidV7()}_`,
    `${uuidV7()}_a/b`,
    `${uuidV7()}_\0`,
    `${uuidV7()}_${"x".repeat(300)}`,
  ])("cannot be %j", async (name) => {
    const { sha256 } = await blobs.put(bytesOf("x"));
    await expect(blobs.link(sha256, name)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    await blobs.unlink(name);
    expect(await read(sha256)).toBe("x");
  });

  test("are refused for bytes that are not there", async () => {
    await expect(blobs.link(hashOf("never"), named())).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    expect((await readdir(directory)).filter((name) => name.includes("_"))).toEqual([]);
  });
});

describe("the sweep for orphans", () => {
  const refersTo =
    (...kept: string[]) =>
    async ({ hashes, names }: StoredFiles): Promise<StoredFiles> => ({
      hashes: hashes.filter((hash) => !kept.includes(hash)),
      names: names.filter((name) => !kept.includes(name)),
    });

  /** As a process that has ended left it: written, its place in the file system long ago. */
  async function left(text: string): Promise<string> {
    const sha256 = hashOf(text);
    const shard = join(directory, sha256.slice(0, 2));
    await mkdir(shard, { recursive: true });
    await writeFile(join(shard, sha256.slice(2)), text);
    await utimes(join(shard, sha256.slice(2)), new Date(0), new Date(0));
    return sha256;
  }

  test("claims a directory that nobody else uses, and removes what no record refers to there", async () => {
    await blobs.sweepOrphans("me", refersTo());
    const kept = await left("kept");
    const orphan = await left("orphan");
    const keptName = named("kept");
    const orphanName = named("orphan");
    await writeFile(join(directory, keptName), "kept");
    await writeFile(join(directory, orphanName), "orphan");
    await writeFile(join(directory, "somebody's notes.txt"), "mine");
    expect(await blobs.sweepOrphans("me", refersTo(kept, keptName))).toBe(2);
    expect(await blobs.stat(kept)).toBe(4);
    expect(await blobs.stat(orphan)).toBeUndefined();
    const names = await readdir(directory);
    expect(names).toEqual(expect.arrayContaining([keptName, "somebody's notes.txt"]));
    expect(names).not.toContain(orphanName);
  });

  test("leaves what this process wrote", async () => {
    await blobs.sweepOrphans("me", refersTo());
    const { sha256 } = await blobs.put(randomBytes(100));
    const name = named();
    await blobs.link(sha256, name);
    expect(await blobs.sweepOrphans("me", refersTo())).toBe(0);
    expect(await readdir(directory)).toContain(name);
    expect(await blobs.stat(sha256)).toBe(100);
  });

  test("touches nothing in a directory of another owner, or one that seems to have another", async () => {
    const theirs = await left("theirs");
    expect(await blobs.sweepOrphans("me", refersTo())).toBe(0);
    expect(await blobs.sweepOrphans("them", refersTo(theirs))).toBe(0);
    expect(await blobs.sweepOrphans("me", refersTo())).toBe(0);
    expect(await blobs.stat(theirs)).toBe(6);
  });

  test("stops when its signal aborts", async () => {
    const stop = new AbortController();
    stop.abort();
    await left("orphan");
    expect(await blobs.sweepOrphans("me", refersTo(hashOf("orphan")), stop.signal)).toBe(0);
  });
});

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  for (const character of text) yield bytesOf(character);
}
