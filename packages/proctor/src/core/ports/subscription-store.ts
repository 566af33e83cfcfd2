// Whom to notify of runs, where several processes share the work: a part of a Store. One process at a time sends for a subscription; it
// proves that it is alive by renewing its lease.

export interface StoredSubscriptionRow {
  key: string;
  /** The document that webhooks/ keeps, as JSON; its secrets are sealed. */
  document: string;
}

export interface SubscriptionStore {
  /** Adds or replaces a subscription; from then on `sender` sends until `until`. */
  put(row: StoredSubscriptionRow, sender: string, until: number): Promise<void>;
  /** Adds a subscription unless there is one with its key, which stays unchanged; resolves with false then. */
  add(row: StoredSubscriptionRow, sender: string, until: number): Promise<boolean>;
  /** Saves progress, unless the subscription is gone or another process sends for it. */
  update(row: StoredSubscriptionRow, sender: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Lists subscriptions whose key begins with the text, whichever process sends for them. */
  find(prefix: string): Promise<StoredSubscriptionRow[]>;
  /** Extends the leases of `sender` to `until`; resolves with the keys that are still its own. */
  renew(sender: string, until: number): Promise<string[]>;
  /**
   * Takes over subscriptions of other senders whose lease was over at `now`; each goes to one of the processes that ask. The asker's own
   * are left out, because it is still sending for them: `renew` extends their leases.
   */
  take(sender: string, now: number, until: number): Promise<StoredSubscriptionRow[]>;
}
