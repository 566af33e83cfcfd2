// Bytes by their sha256.

export interface BlobRef {
  /** Lower-case hex. */
  sha256: string;
  sizeBytes: number;
}

export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

export interface BlobStore {
  /** Resolves when the bytes are on disk under their hash; nothing is left behind when the source fails. */
  put(source: Uint8Array | AsyncIterable<Uint8Array>): Promise<BlobRef>;
  /** The size in bytes, or undefined when unknown. */
  stat(sha256: string): Promise<number | undefined>;
  /** Streams the bytes; throws ARTIFACT_NOT_FOUND when they are not there. */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
}
