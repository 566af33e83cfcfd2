// Where envelopes are kept: a part of a Store. Promises that resolve mean: committed to disk.
import type { DeadLetter, InboxState } from "./messages.ts";
import type { Page, PageRequest } from "../page.ts";

/**
 * `waiting` for its receiver to acknowledge it; `working`: the hub carries it out; `done`: kept to recognise a repeated one; `dead`: nobody
 * gets it any more.
 */
export type MessageState = "waiting" | "working" | "done" | "dead";

/** Why an envelope did not arrive. */
export type DeadReason = "expired" | "full" | "undeliverable" | "dropped";

export interface NewStoredMessage {
  sender: string;
  id: string;
  /** Whose inbox it is in: a party's name, `hub` where the hub carries it out. */
  receiver: string;
  state: Exclude<MessageState, "dead">;
  /** The envelope as JSON. */
  document: string;
  /** Hash of what the sender wrote: another one under the same id is a conflict. */
  fingerprint: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  createdAt: number;
  expiresAt: number;
  /** How many envelopes were derived from one another, automatically, before this one. */
  hops: number;
}

export interface StoredMessage extends Omit<NewStoredMessage, "state"> {
  state: MessageState;
  /** Grows with every message, of whatever receiver. */
  position: number;
  deliveries: number;
  runId: string | null;
  /** Sequence of the last event of the run that the sender was told. */
  told: number;
}

export interface InboxLimits {
  count: number;
  bytes: number;
}

/** What happens when the inbox is full: the sender is refused, or, where nobody could be told, it becomes a dead letter. */
export type WhenFull = "refuse" | "bury";

/** How far the sender of the message at this position has been told of its run: up to the event with this sequence. */
export interface Told {
  position: number;
  sequence: number;
}

export interface MessageStore {
  /**
   * Keeps it unless (sender, id) is known: then `created` is false and the message that was kept first is returned. Throws
   * IDEMPOTENCY_CONFLICT, INBOX_FULL. `told` is written with it: what the sender of another message has been told by this one.
   */
  add(
    message: NewStoredMessage,
    limits: InboxLimits,
    whenFull: WhenFull,
    told?: Told,
  ): Promise<{ message: StoredMessage; created: boolean }>;
  find(sender: string, id: string): Promise<StoredMessage | undefined>;
  /** Those of the receiver that wait, after this position, oldest first. */
  waiting(receiver: string, after: number, limit: number): Promise<StoredMessage[]>;
  /** Counts that these were handed out. A crash may lose the count. */
  countDelivery(receiver: string, first: number, last: number): Promise<void>;
  /** Returns how many were acknowledged: those that waited up to this position. */
  acknowledge(receiver: string, upTo: number, nowMs: number): Promise<number>;
  /** What the hub has not finished, oldest first. */
  working(after: number, limit: number): Promise<StoredMessage[]>;
  /** How far the hub is with a message that it carries out. */
  progress(position: number, change: { runId?: string; told?: number }): Promise<void>;
  /** The hub is done with it. */
  finish(position: number, nowMs: number): Promise<void>;
  /** Makes a message that waits or is carried out a dead letter; false when it is none of these any more. */
  bury(position: number, reason: DeadReason, nowMs: number): Promise<boolean>;
  /** Those that wait and whose time was over at `nowMs`, those that expired first at the front. */
  expired(nowMs: number, limit: number): Promise<StoredMessage[]>;
  /** When the next one that waits expires, in epoch milliseconds. */
  nextExpiry(): Promise<number | null>;
  /** Inboxes that are not empty, in the order of their names. */
  inboxes(page: PageRequest): Promise<Page<InboxState>>;
  /** Newest first. */
  dead(query: PageRequest & { receiver?: string }): Promise<Page<DeadLetter>>;
  /** Puts a dead letter at the end of its receiver's inbox, as a message with a new position. Throws MESSAGE_NOT_FOUND, INBOX_FULL. */
  revive(position: number, expiresAt: number, limits: InboxLimits): Promise<StoredMessage>;
  /** Removes a dead letter. Throws MESSAGE_NOT_FOUND. */
  discard(position: number): Promise<void>;
  /** Removes what was done before then, at most `limit`; returns how many. */
  forget(beforeMs: number, limit: number): Promise<number>;
}
