// What a store notes about bytes that are not on its own disk, so that several processes can share them: a part of a Store.

/** `hold`: a process has put the bytes and will record them. `removal`: a process is about to remove them. */
export type BlobMarkKind = "hold" | "removal";

export interface BlobMark {
  id: string;
  sha256: string;
  kind: BlobMarkKind;
  /** Epoch milliseconds from which the mark no longer counts. */
  expires_at: number;
}

export interface BlobMarks {
  add(mark: BlobMark): Promise<void>;
  /** Removes the mark; a no-op when there is none. */
  remove(id: string): Promise<void>;
  /** Resolves with whether the bytes have a mark of this kind that counts at `now`. Sees every mark whose `add` has resolved, in any process. */
  isMarked(sha256: string, kind: BlobMarkKind, now: number): Promise<boolean>;
  /** Lists at most `limit` marks that no longer count at `now`, the oldest first. */
  expired(now: number, limit: number): Promise<BlobMark[]>;
  /** Gives the bytes a second name. Resolves with false when the name is taken. */
  link(name: string, sha256: string, now: number): Promise<boolean>;
  unlink(name: string): Promise<void>;
  /** Lists at most `limit` names given before `before`, after the name `after`, in order. */
  names(before: number, after: string, limit: number): Promise<string[]>;
}
