// The inboxes of everybody who sends and receives envelopes: durable before acknowledged, in order for each receiver, delivered until
// acknowledged. In this process (messages/), and over HTTP (hub/).
import type { Caller } from "../caller.ts";
import type { Envelope, EnvelopeDraft } from "../envelope.ts";
import type { Page, PageRequest } from "../page.ts";

export interface Sent {
  envelope: Envelope;
  /** Whose inbox it went to: the agent that was chosen for a capability; the hub where a run carries it out. */
  receiver: string;
  /** False when (from, id) was there before; nothing was sent again. */
  created: boolean;
  /** The run that carries it out, where it started one. */
  run_id?: string;
}

export interface InboxEntry {
  /** The place in the receiver's inbox, which grows. */
  position: number;
  envelope: Envelope;
  /** How often it was handed out, this time included. */
  deliveries: number;
}

export interface ReceiveOptions {
  /** Acknowledges everything up to this position, then reads on from there; 0 acknowledges nothing. */
  after: number;
  limit: number;
  /** Milliseconds to wait while there is nothing. */
  waitMs: number;
}

/** Why it did not arrive: `expired`, `full`, `undeliverable`, `dropped`. */
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
   * Resolves when it is on disk. Throws INVALID_REQUEST, FORBIDDEN (`from` is another's), AGENT_NOT_FOUND, CAPABILITY_NOT_FOUND, INBOX_FULL,
   * MESSAGE_TOO_OLD, IDEMPOTENCY_CONFLICT (same from and id, another content), LOOP_DETECTED, PAYLOAD_TOO_LARGE.
   */
  send(draft: EnvelopeDraft, caller?: Caller): Promise<Sent>;
  receive(
    receiver: string,
    options: ReceiveOptions,
    signal: AbortSignal,
    caller?: Caller,
  ): Promise<InboxEntry[]>;
  /**
   * Acknowledges everything up to `after`, then yields what waits and what comes, page by page, each entry once. Ends when the signal
   * aborts. Nothing else is acknowledged: that is for the reader to say.
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
