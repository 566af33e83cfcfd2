import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { uuidV7 } from "../../core/id.ts";
import type { StoredFiles } from "../../core/ports/store.ts";
import { openFileBlobs } from "./file-blobs.ts";
import type { SweptBlobs } from "./swept-blobs.ts";

let directory: string;
let blobs: SweptBlobs;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "proctor-removal-"));
  blobs = await openFileBlobs(directory);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const named = (rest = "step_1_report.txt") => `${uuidV7()}_${rest}`;

async function read(sha256: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(sha256)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

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
