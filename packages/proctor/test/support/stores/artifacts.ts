// A real artifact service in a folder, for tests that save and read artifacts beside runs.
import { join } from "node:path";
import type { ArtifactService } from "../../../src/core/ports/artifact-service.ts";
import type { Store } from "../../../src/core/ports/store.ts";
import type { SavedArtifact, SavedArtifactLimits } from "../../../src/core/saved-artifact.ts";
import { collectBytes } from "../../../src/runtime/http/limited-bytes.ts";
import { systemClock } from "../../../src/runtime/time/system-clock.ts";
import { createArtifactService } from "../../../src/stores/artifact-service.ts";
import { openFileBlobs } from "../../../src/stores/blobs/file-blobs.ts";
import type { SweptBlobs } from "../../../src/stores/blobs/swept-blobs.ts";
import { openSqliteStore } from "../../../src/stores/sqlite/open-store.ts";

export interface OpenedArtifacts {
  artifacts: ArtifactService;
  store: Store;
  blobs: SweptBlobs;
  /** The bytes of a version, as text. */
  textOf: (artifact: SavedArtifact) => Promise<string>;
  close(): Promise<void>;
}

const LIMITS: SavedArtifactLimits = { fileBytes: 1_000_000, sessionBytes: 10_000_000, count: 1000 };

export async function openArtifacts(
  folder: string,
  limits: SavedArtifactLimits = LIMITS,
): Promise<OpenedArtifacts> {
  const store = await openSqliteStore({ file: join(folder, "p.db") });
  const blobs = await openFileBlobs(join(folder, "blobs"));
  const artifacts = createArtifactService({ store, blobs, clock: systemClock, limits });
  return {
    artifacts,
    store,
    blobs,
    textOf: async (artifact) => Buffer.from(await collectBytes(artifacts.read(artifact))).toString(),
    close: () => store.close(),
  };
}
