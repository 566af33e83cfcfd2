// Where envelopes are kept: a part of a Store. Promises that resolve mean: committed to disk.
import type { DeadLetter, InboxState } from "./messages.ts";
import type { Page, PageRequest } from "../page.ts";

/**
 * `waiting` for its receiver to acknowledge it; `working`: the hub carries it out; `done`: kept to recognise a repeated one; `dead`: it is
 * no longer delivered.
 */
export type MessageState = "waiting" | "working" | "done" | "dead";

/** Why an envelope did not arrive. */
export type DeadReason = "expired" | "full" | "undeliverable" | "dropped";

export interface NewStoredMessage {
  sender: string;
  id: string;
  /** Owner of the inbox that holds the message: a party's name, or `hub` where the hub carries it out. */
  receiver: string;
  state: Exclude<MessageState, "dead">;
  /** The envelope as JSON. */
  document: string;
  /** Hash of what the sender wrote: another one under the same id is a conflict. */
  fingerprint: string;
  sizeBytes: number;
  /** When the message was kept, in epoch milliseconds. */
  createdAt: number;
  expiresAt: number;
  /** Number of envelopes from which this one was derived, one after the other, automatically. */
  hops: number;
}

export interface StoredMessage extends Omit<NewStoredMessage, "state"> {
  state: MessageState;
  /** Position of the message, which grows with every message to any receiver. */
  position: number;
  deliveries: number;
  runId: string | null;
  /** Sequence of the last event of the run that was reported to the sender. */
  told: number;
}

export interface InboxLimits {
  count: number;
  bytes: number;
}

/** What happens when the inbox is full: the sender is refused, or, where no sender could be informed, the message becomes a dead letter. */
export type WhenFull = "refuse" | "bury";

/** What the sender of the message at this position has learned of its run: everything up to the event with this sequence. */
export interface Told {
  position: number;
  sequence: number;
}

export interface MessageStore {
  /**
   * Keeps the message unless (sender, id) is known: then `created` is false and the message that was kept first is returned. Throws
   * IDEMPOTENCY_CONFLICT, INBOX_FULL. `told` is written with it: what this message reports to the sender of another one.
   */
  add(
    message: NewStoredMessage,
    limits: InboxLimits,
    whenFull: WhenFull,
    told?: Told,
  ): Promise<{ message: StoredMessage; created: boolean }>;
  find(sender: string, id: string): Promise<StoredMessage | undefined>;
  /** Lists messages that wait for the receiver, after this position, oldest first. */
  waiting(receiver: string, after: number, limit: number): Promise<StoredMessage[]>;
  /** Counts a delivery of these messages. A crash may lose the count. */
  countDelivery(receiver: string, first: number, last: number): Promise<void>;
  /** Acknowledges the messages that waited up to this position; resolves with their number. */
  acknowledge(receiver: string, upTo: number, nowMs: number): Promise<number>;
  /** Lists what the hub has not finished, oldest first. */
  working(after: number, limit: number): Promise<StoredMessage[]>;
  /** Records the progress of a message that the hub carries out. */
  progress(position: number, change: { runId?: string; told?: number }): Promise<void>;
  /** Marks a message as done that the hub carried out. */
  finish(position: number, nowMs: number): Promise<void>;
  /** Makes a message that waits or is carried out a dead letter; resolves with false when it is neither any more. */
  bury(position: number, reason: DeadReason, nowMs: number): Promise<boolean>;
  /** Lists waiting messages that had expired at `nowMs`, those that expired first at the front. */
  expired(nowMs: number, limit: number): Promise<StoredMessage[]>;
  /** Resolves with when the next waiting message expires, in epoch milliseconds. */
  nextExpiry(): Promise<number | null>;
  /** Lists inboxes that are not empty, in the order of their names. */
  inboxes(page: PageRequest): Promise<Page<InboxState>>;
  /** Lists dead letters, newest first. */
  dead(query: PageRequest & { receiver?: string }): Promise<Page<DeadLetter>>;
  /** Puts a dead letter at the end of its receiver's inbox, as a message with a new position. Throws MESSAGE_NOT_FOUND, INBOX_FULL. */
  revive(position: number, expiresAt: number, limits: InboxLimits): Promise<StoredMessage>;
  /** Removes a dead letter. Throws MESSAGE_NOT_FOUND. */
  discard(position: number): Promise<void>;
  /** Removes messages that were done before then, at most `limit`; resolves with their number. */
  forget(beforeMs: number, limit: number): Promise<number>;
}
