// Whom to notify of runs, where several processes share the work: a part of a Store. One process at a time sends for a subscription; it
// proves that it is alive by renewing its lease.

export interface StoredSubscriptionRow {
  key: string;
  /** What webhooks/ keeps of it, as JSON; its secrets are sealed. */
  document: string;
}

export interface SubscriptionStore {
  /** Adds or replaces a subscription; from then on `sender` sends until `until`. */
  put(row: StoredSubscriptionRow, sender: string, until: number): Promise<void>;
  /** Adds a subscription unless there is one of its key, which stays as it is; false then. */
  add(row: StoredSubscriptionRow, sender: string, until: number): Promise<boolean>;
  /** Saves progress, unless the subscription is gone or somebody else sends. */
  update(row: StoredSubscriptionRow, sender: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Those whose key begins with the text, whoever sends. */
  find(prefix: string): Promise<StoredSubscriptionRow[]>;
  /** Extends what `sender` has until `until`; returns the keys that are still its own. */
  renew(sender: string, until: number): Promise<string[]>;
  /** Takes over those whose lease was over at `now`; each goes to one of those who ask. */
  take(sender: string, now: number, until: number): Promise<StoredSubscriptionRow[]>;
}
