// An artifact that is kept outside runs: one version of it, as its readers see it. The bytes are in the blob store under their sha256.
import type { ArtifactKey } from "./artifact-key.ts";
import type { JsonObject } from "./json.ts";

export interface SavedArtifact extends ArtifactKey {
  /** Number of the version, from 1, without gaps. A number is never used again, not even after the artifact was removed. */
  version: number;
  mime_type: string;
  size_bytes: number;
  /** `sha256:<hex>` of the bytes. */
  content_hash: string;
  /** Notes of the writer about this version. */
  metadata: JsonObject;
  /** When the version was saved, in ISO 8601. */
  created_at: string;
}

/** Limits of these artifacts in one session; those that all sessions of a user share count as a session of their own. */
export interface SavedArtifactLimits {
  /** The most bytes that one version may have. */
  fileBytes: number;
  /** The most bytes that all versions of a session may have together. */
  sessionBytes: number;
  /** The most versions that a session may have. */
  count: number;
}

/** The most bytes that the metadata of a version may have as JSON. */
export const MAX_METADATA_BYTES = 16 * 1024;
