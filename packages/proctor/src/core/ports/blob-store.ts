// Bytes by their sha256.

export interface BlobRef {
  /** The hash of the bytes, in lower-case hex. */
  sha256: string;
  sizeBytes: number;
}

export interface ByteRange {
  /** The position of the first byte, from 0. */
  start: number;
  /** The position of the last byte, which is part of the range. */
  end: number;
}

export interface BlobStore {
  /**
   * Resolves when the bytes are on disk under their hash; nothing is left behind when the source fails. Until the reference is
   * released, or minutes have passed, `remove` leaves them alone. Rejects as soon as the signal fires, even while the source is silent.
   */
  put(source: Uint8Array | AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<BlobRef>;
  /** Ends the hold: a reference to the bytes is recorded, or none ever will be. */
  release(ref: BlobRef): void;
  /**
   * Removes the bytes unless somebody put them and has not released them, or `isReferenced` says that they are needed: it is asked
   * while nobody can put them. True when they are gone.
   */
  remove(sha256: string, isReferenced: (sha256: string) => Promise<boolean>): Promise<boolean>;
  /** Gives the bytes a name in the artifacts directory, `<uuid>_…`. Throws NAME_TAKEN, and INVALID_REQUEST for an invalid name. */
  link(sha256: string, name: string): Promise<void>;
  /** Removes the name; a no-op when there is none. */
  unlink(name: string): Promise<void>;
  /** Resolves with the size in bytes, or undefined when unknown. */
  stat(sha256: string): Promise<number | undefined>;
  /** Streams the bytes; throws ARTIFACT_NOT_FOUND when they are not there. */
  read(sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
}
