// What a store notes about bytes that are not on its own disk, so that several processes can share them: a part of a Store.

/** `hold`: somebody has put the bytes and will record them. `removal`: somebody is about to remove them. */
export type BlobMarkKind = "hold" | "removal";

export interface BlobMark {
  id: string;
  sha256: string;
  kind: BlobMarkKind;
  /** The time, in epoch milliseconds, from which on the mark does not count. */
  expires_at: number;
}

export interface BlobMarks {
  add(mark: BlobMark): Promise<void>;
  /** Nothing happens when there is no such mark. */
  remove(id: string): Promise<void>;
  /** Whether the bytes have a mark of this kind that counts at `now`. Sees every mark whose `add` has resolved, in any process. */
  isMarked(sha256: string, kind: BlobMarkKind, now: number): Promise<boolean>;
  /** At most `limit` marks that no longer count at `now`, the oldest first. */
  expired(now: number, limit: number): Promise<BlobMark[]>;
  /** Gives the bytes a second name. False when the name is taken. */
  link(name: string, sha256: string, now: number): Promise<boolean>;
  unlink(name: string): Promise<void>;
  /** At most `limit` names given before `before`, after the name `after`, in order. */
  names(before: number, after: string, limit: number): Promise<string[]>;
}
