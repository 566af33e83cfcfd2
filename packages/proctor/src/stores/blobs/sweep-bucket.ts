// Removes what processes that died left of a bucket: objects under temporary names, bytes that were put and never recorded, and names whose
// records are gone. Which bytes those are, the marks say: the objects of the bucket are not listed, for there may be millions.
import type { BlobMarks } from "../../core/ports/blob-marks.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Bucket } from "./s3-bucket.ts";
import type { FindOrphans, SweptBlobs } from "./swept-blobs.ts";

interface BucketSweepDeps {
  bucket: Pick<Bucket, "list" | "remove">;
  marks: BlobMarks;
  blobs: Pick<BlobStore, "remove">;
  clock: Clock;
}

/** Prefix of the names of objects that are not finished. */
export const TEMPORARY = "tmp-";
/** Milliseconds of a day: no upload takes longer. */
const LEFT_AFTER_MS = 24 * 60 * 60_000;
const BATCH = 200;

export function sweepBucket(deps: BucketSweepDeps): Pick<SweptBlobs, "sweep" | "sweepOrphans"> {
  const { bucket, marks, blobs, clock } = deps;

  async function sweepMarks(findOrphans: FindOrphans, signal?: AbortSignal): Promise<number> {
    const isReferenced = async (sha256: string): Promise<boolean> =>
      (await findOrphans({ hashes: [sha256], names: [] })).hashes.length === 0;
    let removed = 0;
    for (;;) {
      const left = await marks.expired(clock.now(), BATCH);
      if (left.length === 0) return removed;
      for (const { id, sha256 } of left) {
        if (signal?.aborted) return removed;
        if (!(await isReferenced(sha256)) && (await blobs.remove(sha256, isReferenced))) removed++;
        await marks.remove(id);
      }
    }
  }

  async function sweepNames(findOrphans: FindOrphans, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (let after = ""; ;) {
      const names = await marks.names(clock.now() - LEFT_AFTER_MS, after, BATCH);
      after = names.at(-1) ?? "";
      if (after === "" || signal?.aborted) return removed;
      const { names: orphans } = await findOrphans({ hashes: [], names });
      for (const name of orphans) await marks.unlink(name);
      removed += orphans.length;
    }
  }

  return {
    async sweep() {
      let removed = 0;
      let cursor: string | undefined;
      do {
        const page = await bucket.list(TEMPORARY, cursor);
        for (const { key, changedAtMs } of page.objects) {
          if (changedAtMs > clock.now() - LEFT_AFTER_MS) continue;
          await bucket.remove(key);
          removed++;
        }
        cursor = page.cursor;
      } while (cursor !== undefined);
      return removed;
    },
    // Rows belong to one database, so there is no other owner to look out for.
    sweepOrphans: async (_owner, findOrphans, signal) =>
      (await sweepMarks(findOrphans, signal)) + (await sweepNames(findOrphans, signal)),
  };
}
