// Puts envelopes into inboxes: on disk first, then the waiting receiver is woken. The hub's own envelopes are made here, too.
import { HUB, type Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { Clock } from "../core/ports/clock.ts";
import type {
  InboxLimits,
  MessageState,
  MessageStore,
  StoredMessage,
  Told,
  WhenFull,
} from "../core/ports/message-store.ts";
import { MAX_HOPS } from "../runtime/schemas/envelope.ts";
import { fingerprintOf } from "./complete-envelope.ts";
import type { ConnectedMail } from "./hub-mail.ts";
import { childTrace } from "./trace-of.ts";

export interface MessageLimits extends InboxLimits {
  /** Most bytes of one envelope. */
  envelopeBytes: number;
}

export const DEFAULT_TTL_MS = 86_400_000;

export interface Place {
  receiver: string;
  state: Exclude<MessageState, "dead">;
}

/** An answer to an envelope, as the hub writes it. */
export interface Reply {
  /** Id of the reply, the same at every attempt, so that an answer is given once. */
  id: string;
  from: string;
  type: "response" | "notification" | "error";
  action: string;
  payload: Json;
  streamId?: string;
  seq?: number;
  final?: boolean;
}

export interface PostOffice {
  /** Keeps an envelope, without waking its receiver yet. Throws PAYLOAD_TOO_LARGE, INBOX_FULL, IDEMPOTENCY_CONFLICT. */
  keep(envelope: Envelope, place: Place): Promise<{ message: StoredMessage; created: boolean }>;
  /** Answers an envelope; never throws for what its sender could have prevented. A reply that finds no room is a dead letter, or dropped. */
  reply(
    request: Envelope,
    reply: Reply,
    options?: { told?: Told; whenFull?: WhenFull | "drop" },
  ): Promise<void>;
  /** Wakes those who wait for envelopes to this receiver. */
  wake(receiver: string): void;
}

export interface PostOfficeDeps {
  store: MessageStore;
  clock: Clock;
  limits: MessageLimits;
  mail: ConnectedMail;
  wake: (receiver: string) => void;
}

export function createPostOffice({ store, clock, limits, mail, wake }: PostOfficeDeps): PostOffice {
  function keep(
    envelope: Envelope,
    { receiver, state }: Place,
    whenFull: WhenFull = "refuse",
    told?: Told,
  ): Promise<{ message: StoredMessage; created: boolean }> {
    const document = JSON.stringify(envelope);
    const sizeBytes = Buffer.byteLength(document);
    if (sizeBytes > limits.envelopeBytes) throw tooLarge(sizeBytes, limits.envelopeBytes);
    const now = clock.now();
    const message = {
      sender: envelope.from,
      id: envelope.id,
      receiver,
      state,
      document,
      fingerprint: fingerprintOf(envelope),
      sizeBytes,
      createdAt: now,
      expiresAt: now + (envelope.ttl ?? DEFAULT_TTL_MS),
      hops: envelope.hops ?? 0,
    };
    return store.add(message, limits, whenFull, told);
  }

  return {
    keep: async (envelope, place) => keep(envelope, place),
    async reply(request, reply, { told, whenFull = "bury" } = {}) {
      const hops = (request.hops ?? 0) + 1;
      const envelope: Envelope = {
        ...reply,
        to: request.from,
        inReplyTo: request.id,
        trace: childTrace(request.trace),
        timestamp: clock.now(),
        hops,
      };
      const goesRound = hops > MAX_HOPS;
      if (request.from === HUB || goesRound) {
        if (!goesRound) mail.hand(envelope);
        if (told) await store.progress(told.position, { told: told.sequence });
        return;
      }
      try {
        const place: Place = { receiver: request.from, state: "waiting" };
        await keep(shortened(envelope, limits), place, whenFull === "drop" ? "refuse" : whenFull, told);
      } catch (error) {
        if (whenFull !== "drop" || !ProctorError.is(error) || error.code !== "INBOX_FULL") throw error;
        if (told) await store.progress(told.position, { told: told.sequence });
        return;
      }
      wake(request.from);
    },
    wake,
  };
}

/** Leaves out a payload that is too large for an envelope, and tells the reader so. */
function shortened(envelope: Envelope, { envelopeBytes }: MessageLimits): Envelope {
  const size = Buffer.byteLength(JSON.stringify(envelope));
  if (size <= envelopeBytes) return envelope;
  const { payload } = envelope;
  const known = typeof payload === "object" && payload !== null && !Array.isArray(payload) ? payload : {};
  const { status, run_id, code } = known;
  return {
    ...envelope,
    payload: {
      ...(status !== undefined && { status }),
      ...(run_id !== undefined && { run_id }),
      ...(code !== undefined && { code }),
      omitted: `the payload has ${size} bytes, and an envelope may have ${envelopeBytes}; read the run for all of it`,
    },
  };
}

function tooLarge(sizeBytes: number, limit: number): ProctorError {
  return new ProctorError(
    "PAYLOAD_TOO_LARGE",
    `the envelope has ${sizeBytes} bytes, and ${limit} are allowed\nsend the address of large things instead of their content`,
  );
}
