// Buries envelopes whose time is over, informs their senders, and forgets what was done long ago. One timer for all of it.
import { HUB, type Envelope } from "../core/envelope.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { DeadReason, MessageStore, StoredMessage } from "../core/ports/message-store.ts";
import type { PostOffice } from "./post-office.ts";

/** Milliseconds that a message which is done is remembered, so that a repeated one is recognised. */
export const REMEMBERED_MS = 86_400_000;
/** Most milliseconds between two looks; an envelope expires up to this much late. */
const MAX_SLEEP_MS = 60_000;
const PAGE = 100;

export interface ExpiryDeps {
  store: MessageStore;
  office: PostOffice;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
}

export interface Expiry {
  start(): void;
  /** Notes when an envelope expires, maybe before all others. */
  note(expiresAt: number): void;
  /** Buries one envelope, and informs its sender where that asked for an answer. */
  bury(message: StoredMessage, reason: DeadReason, why: string): Promise<void>;
  close(): Promise<void>;
}

export function createExpiry({ store, office, clock, report }: ExpiryDeps): Expiry {
  let callOff: (() => void) | undefined;
  let dueAt = Infinity;
  let isClosed = true;
  let sweeping = Promise.resolve();

  async function bury(message: StoredMessage, reason: DeadReason, why: string): Promise<void> {
    if (!(await store.bury(message.position, reason, clock.now()))) return;
    // Only envelopes are written there.
    const envelope = JSON.parse(message.document) as Envelope;
    if (envelope.type !== "request") return;
    await office.reply(envelope, {
      id: `${message.position}:${reason}`,
      from: HUB,
      type: "error",
      action: envelope.action,
      payload: { code: reason.toUpperCase(), message: why, receiver: message.receiver },
    });
  }

  async function sweep(): Promise<void> {
    for (;;) {
      const expired = await store.expired(clock.now(), PAGE);
      for (const message of expired)
        await bury(message, "expired", `"${message.receiver}" did not take it in time`);
      if (expired.length < PAGE || isClosed) break;
    }
    for (let forgotten = PAGE; forgotten === PAGE;)
      forgotten = await store.forget(clock.now() - REMEMBERED_MS, PAGE);
  }

  function schedule(at: number): void {
    if (isClosed || at >= dueAt) return;
    callOff?.();
    dueAt = at;
    callOff = clock.after(Math.max(0, at - clock.now()), wake);
  }

  function wake(): void {
    dueAt = Infinity;
    sweeping = sweep()
      .then(() => store.nextExpiry())
      .catch((error: unknown) => {
        if (!isClosed) report(error, "");
        return null;
      })
      .then((next) => schedule(Math.min(next ?? Infinity, clock.now() + MAX_SLEEP_MS)));
  }

  return {
    start() {
      isClosed = false;
      wake();
    },
    note: schedule,
    bury,
    async close() {
      isClosed = true;
      callOff?.();
      await sweeping;
    },
  };
}
