// Brings envelopes to agents that take them by HTTP: one at a time for each agent, in order, again and again until they are taken or their
// time is over.
import type { Envelope, EnvelopeDraft } from "../core/envelope.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { DeliverEnvelope, EnvelopeAddress } from "../core/ports/deliver-envelope.ts";
import type { MessageStore, StoredMessage } from "../core/ports/message-store.ts";
import { pause } from "../runtime/time/pause.ts";
import type { Expiry } from "./expiry.ts";

export interface PushDeps {
  store: MessageStore;
  clock: Clock;
  expiry: Pick<Expiry, "bury">;
  /** Resolves with the address of an agent that takes envelopes by HTTP, secrets included; undefined for other receivers. */
  addressOf: (receiver: string) => Promise<EnvelopeAddress | undefined>;
  deliver: DeliverEnvelope;
  /** Accepts an envelope with which the agent answered. */
  accept: (draft: EnvelopeDraft, from: string) => Promise<void>;
  report: (problem: unknown, runId: string) => void;
  stop: AbortSignal;
}

export interface Push {
  /** Delivers what arrived for this receiver, where it is reached by HTTP. */
  wake(receiver: string): void;
  settled(): Promise<void>;
}

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

export function createPush(deps: PushDeps): Push {
  const { store, clock, expiry, addressOf, deliver, accept, report, stop } = deps;
  /** Receivers whose pusher is at work; true where something arrived meanwhile. */
  const busy = new Map<string, boolean>();
  const work = new Set<Promise<void>>();

  async function bring(address: EnvelopeAddress, receiver: string, message: StoredMessage): Promise<void> {
    // Only envelopes are written there.
    const envelope = JSON.parse(message.document) as Envelope;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
      const outcome = await deliver(address, envelope, stop);
      if (stop.aborted) return;
      if ("replies" in outcome) {
        for (const reply of outcome.replies) await accept(reply, receiver);
        await store.acknowledge(receiver, message.position, clock.now());
        return;
      }
      void store.countDelivery(receiver, message.position, message.position).catch(() => undefined);
      if (outcome.refused) return expiry.bury(message, "undeliverable", outcome.trouble);
      await pause(clock, Math.min(delayMs, Math.max(1, message.expiresAt - clock.now())), stop).catch(
        () => undefined,
      );
      if (stop.aborted) return;
      if (clock.now() >= message.expiresAt)
        return expiry.bury(message, "expired", `it could not be delivered: ${outcome.trouble}`);
    }
  }

  async function drain(receiver: string): Promise<void> {
    do {
      busy.set(receiver, false);
      for (;;) {
        const address = await addressOf(receiver);
        if (address === undefined) return;
        const [message] = await store.waiting(receiver, 0, 1);
        if (message === undefined || stop.aborted) break;
        await bring(address, receiver, message);
      }
    } while (busy.get(receiver) === true && !stop.aborted);
  }

  return {
    wake(receiver) {
      if (stop.aborted) return;
      const isBusy = busy.has(receiver);
      busy.set(receiver, true);
      if (isBusy) return;
      const task = drain(receiver)
        .catch((error: unknown) => void (stop.aborted || report(error, "")))
        .finally(() => {
          busy.delete(receiver);
          work.delete(task);
        });
      work.add(task);
    },
    async settled() {
      await Promise.all(work);
    },
  };
}
