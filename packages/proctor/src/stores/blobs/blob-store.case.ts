// Every promise of the BlobStore port, for any implementation: one is done when it passes these.
import { createHash, randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { uuidV7 } from "../../core/id.ts";
import type { BlobStore, ByteRange } from "../../core/ports/blob-store.ts";

export interface OpenedBlobs {
  blobs: BlobStore;
  /** Another process's view of the same bytes. Absent where there can be none. */
  other?: BlobStore;
  /** How many objects there are, finished or not. */
  count(): Promise<number>;
  close(): Promise<void>;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hashOf = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
const nobody = () => Promise.resolve(false);
const named = (rest = "step_1_report.txt") => `${uuidV7()}_${rest}`;

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const letters = (text: string) => chunksOf(...Array.from(text, bytesOf));

/** `open` makes a new, empty store each time. */
export function blobStoreCases(name: string, open: () => Promise<OpenedBlobs>): void {
  let opened: OpenedBlobs;
  let blobs: BlobStore;

  beforeEach(async () => {
    opened = await open();
    blobs = opened.blobs;
  });
  afterEach(() => opened.close());

  async function readAll(hash: string, range?: ByteRange, from = blobs): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of from.read(hash, range)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  describe(`${name}: putting`, () => {
    test("keeps bytes under their hash, however they came", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 4 }), async (chunks) => {
          const whole = new Uint8Array(Buffer.concat(chunks));
          const expected = { sha256: hashOf(whole), sizeBytes: whole.length };
          expect(await blobs.put(chunksOf(...chunks))).toEqual(expected);
          expect(await blobs.put(whole)).toEqual(expected);
          expect(await blobs.stat(expected.sha256)).toBe(whole.length);
          expect((await readAll(expected.sha256)).equals(whole)).toBe(true);
        }),
        { numRuns: propertyRuns(25) },
      );
    });

    test("keeps megabytes that come as a stream, or at once", async () => {
      const chunk = randomBytes(300_000);
      const chunks = Array<Uint8Array>(60).fill(chunk);
      const { sha256: hash, sizeBytes } = await blobs.put(chunksOf(...chunks));
      expect(sizeBytes).toBe(18_000_000);
      expect(hashOf(await readAll(hash))).toBe(hash);
      const other = Buffer.concat(chunks.slice(0, 30));
      expect(await blobs.put(other)).toEqual({ sha256: hashOf(other), sizeBytes: other.length });
      expect(hashOf(await readAll(hashOf(other)))).toBe(hashOf(other));
      expect(await opened.count()).toBe(2);
    });

    test("keeps one object of what many put at once", async () => {
      const bytes = randomBytes(100_000);
      const puts = Array.from({ length: 20 }, (_, index) => blobs.put(index % 2 ? bytes : chunksOf(bytes)));
      const refs = await Promise.all(puts);
      expect(new Set(refs.map((ref) => ref.sha256))).toEqual(new Set([hashOf(bytes)]));
      expect(await opened.count()).toBe(1);
      expect((await readAll(hashOf(bytes))).equals(bytes)).toBe(true);
    });

    test.each([1, 9_000_000])(
      "leaves nothing behind when the source fails after %i bytes, and passes its error on",
      async (size) => {
        const failure = new Error("the agent hung up");
        async function* source(): AsyncGenerator<Uint8Array> {
          yield randomBytes(size);
          throw failure;
        }
        await expect(blobs.put(source())).rejects.toBe(failure);
        expect(await opened.count()).toBe(0);
      },
    );

    test("ends with its signal, even while the source is silent", async () => {
      const stop = new AbortController();
      async function* source(): AsyncGenerator<Uint8Array> {
        yield bytesOf("x");
        stop.abort(new Error("cancelled"));
        await new Promise(() => undefined);
      }
      await expect(blobs.put(source(), stop.signal)).rejects.toThrow("cancelled");
      await expect(blobs.put(bytesOf("x"), stop.signal)).rejects.toThrow("cancelled");
      expect(await opened.count()).toBe(0);
    });
  });

  describe(`${name}: reading`, () => {
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
      const unknown = hashOf("never put");
      expect(await blobs.stat(unknown)).toBeUndefined();
      await expect(readAll(unknown)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    });

    test("refuses everything that is not a hash", async () => {
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
        expect(await blobs.remove(odd, nobody)).toBe(false);
        await expect(readAll(odd)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
      }
    });

    test("goes on after a reader left early", async () => {
      const bytes = randomBytes(1_000_000);
      const { sha256: hash } = await blobs.put(bytes);
      for (let count = 0; count < 20; count++) {
        for await (const chunk of blobs.read(hash)) {
          expect(chunk.byteLength).toBeGreaterThan(0);
          break;
        }
      }
      expect((await readAll(hash)).equals(bytes)).toBe(true);
    });
  });

  describe(`${name}: removing`, () => {
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
      expect((await readAll(first.sha256)).toString()).toBe("x");
    });

    test("lets a writer that puts the same bytes meanwhile write them again", async () => {
      const theirs = opened.other ?? blobs;
      blobs.release(await blobs.put(bytesOf("x")));
      const puts: Promise<unknown>[] = [];
      const removed = await blobs.remove(hashOf("x"), async () => {
        puts.push(theirs.put(bytesOf("x")), theirs.put(letters("x")));
        // Long enough for a put that would not wait.
        for (let turn = 0; turn < 50; turn++) await blobs.stat(hashOf("x"));
        return false;
      });
      expect(removed).toBe(true);
      await Promise.all(puts);
      expect((await readAll(hashOf("x"))).toString()).toBe("x");
    });

    test("never loses bytes that somebody put and recorded, whatever the order", async () => {
      const recorded = new Set<string>();
      const isReferenced = async (sha256: string) => {
        await new Promise(setImmediate);
        return recorded.has(sha256);
      };
      const jobs = Array.from({ length: 60 }, async (_, index) => {
        const text = `content ${index % 3}`;
        const place = index % 5 < 3 ? blobs : (opened.other ?? blobs);
        if (index % 2 === 0) return void (await place.remove(hashOf(text), isReferenced));
        const ref = await place.put(index % 4 === 1 ? bytesOf(text) : letters(text));
        await new Promise(setImmediate);
        recorded.add(ref.sha256);
        place.release(ref);
      });
      await Promise.all(jobs);
      for (const sha256 of recorded) expect((await readAll(sha256)).toString()).toMatch(/^content/);
      expect(recorded.size).toBe(3);
    });
  });

  describe(`${name}: names`, () => {
    test("leave the bytes as they are when they are taken away", async () => {
      const { sha256 } = await blobs.put(bytesOf("report"));
      const name = named();
      await blobs.link(sha256, name);
      await blobs.unlink(name);
      await blobs.unlink(name);
      expect((await readAll(sha256)).toString()).toBe("report");
      await blobs.link(sha256, name);
    });

    test("can be given only once", async () => {
      const { sha256 } = await blobs.put(bytesOf("one"));
      const other = await blobs.put(bytesOf("two"));
      const name = named();
      await blobs.link(sha256, name);
      await expect(blobs.link(other.sha256, name)).rejects.toMatchObject({ code: "NAME_TAKEN" });
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
      expect((await readAll(sha256)).toString()).toBe("x");
    });

    test("are refused for bytes that are not there", async () => {
      await expect(blobs.link(hashOf("never"), named())).rejects.toMatchObject({
        code: "ARTIFACT_NOT_FOUND",
      });
      expect(await opened.count()).toBe(0);
    });
  });
}
