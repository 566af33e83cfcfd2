// The bytes of artifacts: on disk, or in the bucket of the configuration, whose client is loaded only then.
import { randomUUID } from "node:crypto";
import type { Clock } from "../../core/ports/clock.ts";
import type { Store } from "../../core/ports/store.ts";
import { openFileBlobs } from "../../stores/blobs/file-blobs.ts";
import type { SweptBlobs } from "../../stores/blobs/swept-blobs.ts";
import type { Config } from "../config/load-config.ts";

export async function openBlobs(
  { bucket, artifactsDir }: Pick<Config, "bucket" | "artifactsDir">,
  store: Pick<Store, "blobMarks" | "facts">,
  clock: Clock,
  options: { readOnly?: boolean } = {},
): Promise<SweptBlobs> {
  if (bucket === undefined) return openFileBlobs(artifactsDir, options);
  const { openS3Blobs } = await import("../../stores/blobs/s3-blobs.ts");
  // A process that only reads writes no id either.
  const databaseId = options.readOnly ? undefined : await store.facts.settle("database_id", randomUUID());
  return openS3Blobs({
    ...bucket,
    marks: store.blobMarks,
    clock,
    random: Math.random,
    ...(databaseId !== undefined && { databaseId }),
    ...options,
  });
}
