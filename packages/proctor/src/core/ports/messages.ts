// The inboxes of all senders and receivers of envelopes: durable before acknowledged, in order for each receiver, delivered until
// acknowledged. In this process (messages/), and over HTTP (hub/).
import type { Caller } from "../caller.ts";
import type { Envelope, EnvelopeDraft } from "../envelope.ts";
import type { Page, PageRequest } from "../page.ts";

export interface Sent {
  envelope: Envelope;
  /** Owner of the inbox that the envelope went to: the agent chosen for a capability; the hub where a run carries it out. */
  receiver: string;
  /** False when (from, id) was known already; nothing was sent again. */
  created: boolean;
  /** Id of the run that carries out the envelope, where it started one. */
  run_id?: string;
}

export interface InboxEntry {
  /** Position in the receiver's inbox, which grows. */
  position: number;
  envelope: Envelope;
  /** Number of times that the envelope was handed out, this time included. */
  deliveries: number;
}

export interface ReceiveOptions {
  /** Acknowledges everything up to this position, then reads on from there; 0 acknowledges nothing. */
  after: number;
  limit: number;
  /** Milliseconds to wait while the inbox is empty. */
  waitMs: number;
}

/** An envelope that did not arrive, and why: `expired`, `full`, `undeliverable`, `dropped`. */
export interface DeadLetter {
  position: number;
  receiver: string;
  reason: string;
  at: string;
  envelope: Envelope;
}

export interface InboxState {
  receiver: string;
  waiting: number;
  bytes: number;
  oldest_at: string | null;
}

export interface Messages {
  /**
   * Resolves when the envelope is on disk. Throws INVALID_REQUEST, FORBIDDEN (`from` is another's), AGENT_NOT_FOUND, CAPABILITY_NOT_FOUND,
   * INBOX_FULL, MESSAGE_TOO_OLD, IDEMPOTENCY_CONFLICT (same from and id, another content), LOOP_DETECTED, PAYLOAD_TOO_LARGE.
   */
  send(draft: EnvelopeDraft, caller?: Caller): Promise<Sent>;
  receive(
    receiver: string,
    options: ReceiveOptions,
    signal: AbortSignal,
    caller?: Caller,
  ): Promise<InboxEntry[]>;
  /**
   * Acknowledges everything up to `after`, then yields what waits and what arrives, page by page, each entry once. Ends when the signal
   * aborts. The reader acknowledges the rest itself.
   */
  follow(
    receiver: string,
    after: number,
    signal: AbortSignal,
    caller?: Caller,
  ): AsyncIterable<readonly InboxEntry[]>;
  /** Acknowledges everything up to this position. */
  acknowledge(receiver: string, upTo: number, caller?: Caller): Promise<void>;
  inboxes(page: PageRequest): Promise<Page<InboxState>>;
  deadLetters(query: PageRequest & { receiver?: string }): Promise<Page<DeadLetter>>;
  /** Puts a dead letter into its receiver's inbox again, at the end. Throws MESSAGE_NOT_FOUND, INBOX_FULL. */
  redeliver(position: number, caller?: Caller): Promise<void>;
  discard(position: number, caller?: Caller): Promise<void>;
}
