// Artifacts that outlive the exchange they came from: named by application, user, session and file name, in versions. What a run
// produced is in its log instead (core/artifact.ts).
import type { ArtifactKey, ArtifactScope } from "../artifact-key.ts";
import type { JsonObject } from "../json.ts";
import type { Page, PageRequest } from "../page.ts";
import type { SavedArtifact } from "../saved-artifact.ts";
import type { ByteRange } from "./blob-store.ts";

export interface NewVersion {
  content: Uint8Array | AsyncIterable<Uint8Array>;
  mimeType: string;
  metadata?: JsonObject;
  /** Returns the newest version that has the same bytes and type instead of making another. */
  reuse?: boolean;
}

export type VersionChoice = number | "latest";

export interface ArtifactService {
  /**
   * Keeps a new version: it is on disk when the promise resolves, and nothing of it is when the promise rejects. Throws INVALID_REQUEST
   * for a key that cannot be one, PAYLOAD_TOO_LARGE, and LIMIT_REACHED when the session keeps no more.
   */
  save(key: ArtifactKey, version: NewVersion, signal?: AbortSignal): Promise<SavedArtifact>;
  /** Throws ARTIFACT_NOT_FOUND. */
  find(key: ArtifactKey, version: VersionChoice): Promise<SavedArtifact>;
  /** Returns the bytes of a version that was found. Throws ARTIFACT_NOT_FOUND when it was removed meanwhile. */
  read(artifact: SavedArtifact, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Lists the latest versions of what the session sees, by name; artifacts that its user shares come first. */
  list(scope: ArtifactScope, page: PageRequest): Promise<Page<SavedArtifact>>;
  /** Lists all versions, the oldest first. Throws ARTIFACT_NOT_FOUND when there is none. */
  versions(key: ArtifactKey, page: PageRequest): Promise<Page<SavedArtifact>>;
  /** Removes all versions and their bytes. Throws ARTIFACT_NOT_FOUND. */
  remove(key: ArtifactKey): Promise<void>;
}
