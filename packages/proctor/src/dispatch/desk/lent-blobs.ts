// The bytes of runs that workers without the database have: taken under their hash, within the limits of a run, and given only to those
// whose run refers to them.
import { contentSha256 } from "../../core/artifact.ts";
import { atMost, tooLarge } from "../../core/at-most.ts";
import { dropBlobs } from "../../core/drop-blobs.ts";
import { ProctorError } from "../../core/errors.ts";
import type { BlobRef, ByteRange } from "../../core/ports/blob-store.ts";
import type { Run } from "../../core/run.ts";
import type { DeskDeps } from "./desk-deps.ts";

/** Milliseconds after which a hold is given up: the worker went to another server, or is gone. */
const FORGOTTEN_MS = 3_600_000;

export interface LentBlobs {
  put(run: Run, sha256: string, content: AsyncIterable<Uint8Array>): Promise<BlobRef>;
  open(
    runs: readonly Run[],
    sha256: string,
  ): Promise<{ sizeBytes: number; open: (range?: ByteRange) => AsyncIterable<Uint8Array> }>;
  settle(runId: string): Promise<void>;
}

export function createLentBlobs({
  store,
  blobs,
  clock,
  artifactLimits,
}: Pick<DeskDeps, "store" | "blobs" | "clock" | "artifactLimits">): LentBlobs {
  /** Bytes whose record is still to come, by the run's id. */
  const holds = new Map<string, { refs: BlobRef[]; since: number }>();

  function forgetOld(): void {
    for (const [runId, { refs, since }] of holds) {
      if (since > clock.now() - FORGOTTEN_MS) return;
      for (const ref of refs) blobs.release(ref);
      holds.delete(runId);
    }
  }

  /** Returns what the worker sent and has not recorded, without these bytes: otherwise it could fill the disk without a record. */
  function unrecordedOf({ id, artifacts }: Run, sha256: string): BlobRef[] {
    const counted = new Set([sha256, ...artifacts.map((artifact) => contentSha256(artifact))]);
    const refs = holds.get(id)?.refs ?? [];
    return refs.filter((ref) => !counted.has(ref.sha256) && counted.add(ref.sha256));
  }

  return {
    async put(run, sha256, content) {
      forgetOld();
      const kept = run.artifacts.reduce((sum, artifact) => sum + storedBytes(artifact), 0);
      const unrecorded = unrecordedOf(run, sha256);
      const waiting = unrecorded.reduce((sum, ref) => sum + ref.sizeBytes, 0);
      const room = Math.max(0, artifactLimits.runBytes - kept - waiting);
      if (run.artifacts.length + unrecorded.length >= artifactLimits.count) throw tooLarge(0, "artifact");
      const ref = await blobs.put(atMost(content, room, "artifact"));
      if (ref.sha256 === sha256) {
        const held = holds.get(run.id) ?? { refs: [], since: clock.now() };
        held.refs.push(ref);
        holds.set(run.id, held);
        return { sha256, sizeBytes: ref.sizeBytes };
      }
      blobs.release(ref);
      await dropBlobs({ store, blobs }, [ref.sha256]);
      throw new ProctorError(
        "INVALID_REQUEST",
        `the bytes that came have the sha256 ${ref.sha256}, not ${sha256}`,
      );
    },
    async open(runs, sha256) {
      const isTheirs = runs.some(({ artifacts }) => artifacts.some((one) => contentSha256(one) === sha256));
      const sizeBytes = isTheirs ? await blobs.stat(sha256) : undefined;
      if (sizeBytes !== undefined) return { sizeBytes, open: (range) => blobs.read(sha256, range) };
      throw new ProctorError("ARTIFACT_NOT_FOUND", `the run refers to no bytes with the sha256 ${sha256}`);
    },
    async settle(runId) {
      const { refs } = holds.get(runId) ?? { refs: [] };
      holds.delete(runId);
      for (const ref of refs) blobs.release(ref);
      const hashes = refs.map(({ sha256 }) => sha256);
      await dropBlobs({ store, blobs }, hashes);
    },
  };
}

function storedBytes(artifact: Run["artifacts"][number]): number {
  return contentSha256(artifact) === undefined ? 0 : (artifact.size_bytes ?? 0);
}
