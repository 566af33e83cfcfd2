// Artifacts that are kept independently of runs, as clients read and write them.
import { z } from "zod";
import { MAX_METADATA_BYTES } from "../../core/saved-artifact.ts";
import { boundedInt } from "../../runtime/schemas/bounded.ts";
import { JsonRecord, listOf, Timestamp } from "./common.ts";

export const SavedArtifactDocument = z
  .strictObject({
    app: z.string(),
    user: z.string(),
    session: z.string(),
    name: z.string().describe("With the prefix `user:` all sessions of the user share it."),
    version: z.int().min(1),
    mime_type: z.string(),
    size_bytes: z.int().min(0),
    content_hash: z.string().describe("`sha256:<hex>` of the bytes."),
    metadata: JsonRecord.describe("What its writer noted about this version."),
    created_at: Timestamp,
  })
  .meta({ id: "SavedArtifact", description: "One version of an artifact that is kept beside runs." });

export const SavedArtifactList = listOf("SavedArtifactList", SavedArtifactDocument);

const MAX_VERSION = 2_147_483_647;

export const VersionQuery = z.strictObject({
  version: boundedInt(1, MAX_VERSION).optional().describe("The latest when absent."),
});

export const SaveQuery = z.strictObject({
  metadata: z
    .string()
    .max(MAX_METADATA_BYTES)
    .optional()
    .describe("Notes about this version: a JSON object as text."),
});
