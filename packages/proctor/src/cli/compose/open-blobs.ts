// The bytes of artifacts: on disk, or in the bucket of the configuration, whose client is loaded only then.
import type { Store } from "../../core/ports/store.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { openFileBlobs } from "../../stores/blobs/file-blobs.ts";
import type { SweptBlobs } from "../../stores/blobs/swept-blobs.ts";
import type { Config } from "../config/load-config.ts";

export async function openBlobs(
  { bucket, artifactsDir }: Pick<Config, "bucket" | "artifactsDir">,
  store: Pick<Store, "blobMarks">,
  options: { readOnly?: boolean } = {},
): Promise<SweptBlobs> {
  if (bucket === undefined) return openFileBlobs(artifactsDir, options);
  const { openS3Blobs } = await import("../../stores/blobs/s3-blobs.ts");
  return openS3Blobs({
    ...bucket,
    marks: store.blobMarks,
    clock: systemClock,
    random: Math.random,
    ...options,
  });
}
