// The artifact service over a store and its blobs. Bytes are written before their record, and removed after it; what a crash leaves behind
// is removed at the next start.
import { checkKey, checkScope, type ArtifactKey } from "../core/artifact-key.ts";
import { atMost, tooLarge } from "../core/at-most.ts";
import { contentSha256 } from "../core/artifact.ts";
import { dropBlobs } from "../core/drop-blobs.ts";
import { ProctorError } from "../core/errors.ts";
import type { ArtifactService } from "../core/ports/artifact-service.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Store } from "../core/ports/store.ts";
import { MAX_METADATA_BYTES, type SavedArtifact, type SavedArtifactLimits } from "../core/saved-artifact.ts";

export interface ArtifactServiceDeps {
  store: Pick<Store, "savedArtifacts" | "unreferenced">;
  blobs: Pick<BlobStore, "put" | "release" | "read" | "remove">;
  clock: Clock;
  limits: SavedArtifactLimits;
}

const MAX_TYPE_LENGTH = 255;

export function createArtifactService({ store, blobs, clock, limits }: ArtifactServiceDeps): ArtifactService {
  const { savedArtifacts: records } = store;

  /** Removes unused bytes. Never throws: what remains is removed at the next start. */
  const drop = (hashes: readonly string[]): Promise<void> =>
    dropBlobs({ store, blobs }, hashes).catch(() => undefined);

  return {
    async save(key, { content, mimeType, metadata = {}, reuse = false }, signal) {
      checkKey(key);
      const { app, user, session, name } = key;
      refuseNotes(mimeType, JSON.stringify(metadata));
      if (content instanceof Uint8Array && content.byteLength > limits.fileBytes)
        throw tooLarge(limits.fileBytes, "artifact");
      const bounded = content instanceof Uint8Array ? content : atMost(content, limits.fileBytes, "artifact");
      const ref = await blobs.put(bounded, signal);
      let kept = false;
      try {
        const artifact = await records.add(
          {
            app,
            user,
            session,
            name,
            mime_type: mimeType,
            size_bytes: ref.sizeBytes,
            content_hash: `sha256:${ref.sha256}`,
            metadata,
            created_at: new Date(clock.now()).toISOString(),
            reuse,
          },
          limits,
        );
        kept = true;
        return artifact;
      } finally {
        blobs.release(ref);
        if (!kept) await drop([ref.sha256]);
      }
    },
    async find(key, version) {
      checkKey(key);
      const found = await records.read(key, version === "latest" ? undefined : version);
      if (found === undefined) throw notFound(key, version);
      return found;
    },
    read: (artifact: SavedArtifact, range) => blobs.read(contentSha256(artifact) ?? "", range),
    async list(scope, page) {
      checkScope(scope);
      return records.list(scope, page);
    },
    async versions(key, page) {
      checkKey(key);
      const found = await records.versions(key, page);
      if (found.items.length === 0 && page.cursor === undefined) throw notFound(key, "latest");
      return found;
    },
    async remove(key) {
      checkKey(key);
      const orphans = await records.remove(key);
      if (orphans === undefined) throw notFound(key, "latest");
      await drop(orphans);
    },
  };
}

function refuseNotes(mimeType: string, metadata: string): void {
  if (mimeType === "" || mimeType.length > MAX_TYPE_LENGTH || /\p{Cc}/u.test(mimeType)) {
    throw new ProctorError("INVALID_REQUEST", "the artifact's mime type is not one");
  }
  if (Buffer.byteLength(metadata) > MAX_METADATA_BYTES) {
    throw new ProctorError("PAYLOAD_TOO_LARGE", `the metadata is larger than ${MAX_METADATA_BYTES} bytes`);
  }
}

function notFound({ app, user, session, name }: ArtifactKey, version: number | "latest"): ProctorError {
  const which = version === "latest" ? "" : ` in version ${version}`;
  return new ProctorError("ARTIFACT_NOT_FOUND", `there is no artifact ${name}${which} in this session`, {
    details: { app, user, session, name, version },
  });
}
