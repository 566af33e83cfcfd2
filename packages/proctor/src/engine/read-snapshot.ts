// The files of a terminal as they were after a step of a run, for a run that continues from there.
import { contentSha256, type Artifact } from "../core/artifact.ts";
import { ProctorError, runNotFound } from "../core/errors.ts";
import type { RunBlobs, RunStore } from "../core/ports/run-store.ts";
import { snapshotStep } from "../core/snapshot-name.ts";

/** Reads the last snapshot when no step is named. Throws ARTIFACT_NOT_FOUND, which lists the steps that have one. */
export async function readSnapshot(
  { store, blobs }: { store: Pick<RunStore, "readRun">; blobs: Pick<RunBlobs, "read"> },
  { run_id: runId, step }: { run_id: string; step?: number },
): Promise<AsyncIterable<Uint8Array>> {
  const found = await store.readRun(runId);
  if (found === undefined) throw runNotFound(runId);
  const kept = found.artifacts.flatMap((artifact) => snapshotOf(artifact));
  const snapshot = step === undefined ? kept.at(-1) : kept.find((one) => one.step === step);
  if (snapshot) return blobs.read(snapshot.sha256);
  const there =
    kept.length === 0 ? "it has none" : `there are those of ${kept.map((one) => one.step).join(", ")}`;
  const what = step === undefined ? "no snapshot" : `no snapshot of step ${step}`;
  throw new ProctorError("ARTIFACT_NOT_FOUND", `run ${runId} has ${what}: ${there}`);
}

function snapshotOf(artifact: Artifact): { step: number; sha256: string }[] {
  const sha256 = contentSha256(artifact);
  const step = artifact.type === "file" ? snapshotStep(artifact.path) : undefined;
  return step === undefined || sha256 === undefined ? [] : [{ step, sha256 }];
}
