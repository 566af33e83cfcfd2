// The records of the artifacts that are kept outside runs: a part of a Store. A promise that resolves means: committed to disk.
import type { ArtifactKey, ArtifactScope } from "../artifact-key.ts";
import type { Page, PageRequest } from "../page.ts";
import type { SavedArtifact, SavedArtifactLimits } from "../saved-artifact.ts";

export interface NewSavedArtifact extends Omit<SavedArtifact, "version"> {
  /** Whether the newest version with the same bytes and type is returned, where there is one. */
  reuse: boolean;
}

export interface SavedArtifacts {
  /** Adds the next version. Throws LIMIT_REACHED, and writes nothing, when the session keeps no more. */
  add(artifact: NewSavedArtifact, limits: SavedArtifactLimits): Promise<SavedArtifact>;
  /** Resolves with the given version, or with the latest. */
  read(key: ArtifactKey, version?: number): Promise<SavedArtifact | undefined>;
  list(scope: ArtifactScope, page: PageRequest): Promise<Page<SavedArtifact>>;
  versions(key: ArtifactKey, page: PageRequest): Promise<Page<SavedArtifact>>;
  /** Removes all versions; returns the sha256 of bytes that nothing refers to any more. Undefined when there were none. */
  remove(key: ArtifactKey): Promise<string[] | undefined>;
}
