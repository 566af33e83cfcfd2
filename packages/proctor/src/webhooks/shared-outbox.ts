// The same as outbox.ts in rows of the store, for several processes: each sends for the subscriptions that it holds a lease of, and takes over
// those of a process that died.
import { randomUUID } from "node:crypto";
import type { Clock } from "../core/ports/clock.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { StoredSubscriptionRow, SubscriptionStore } from "../core/ports/subscription-store.ts";
import { subscriptionKey, type Outbox, type Subscription } from "./outbox.ts";
import { decodeSubscription, encodeSubscription } from "./stored-subscription.ts";

/** Milliseconds for which a silent process counts as alive. */
const LEASE_MS = 60_000;
export const RENEW_MS = LEASE_MS / 4;

export function createSharedOutbox(rows: SubscriptionStore, sealer: Sealer, clock: Clock): Outbox {
  const sender = randomUUID();
  const until = (): number => clock.now() + LEASE_MS;
  const rowOf = (subscription: Subscription): StoredSubscriptionRow => ({
    key: subscriptionKey(subscription),
    document: encodeSubscription(subscription, sealer),
  });

  return {
    add: (subscription) => rows.put(rowOf(subscription), sender, until()),
    addNew: (subscription) => rows.add(rowOf(subscription), sender, until()),
    update: (subscription) => rows.update(rowOf(subscription), sender),
    remove: (subscription) => rows.remove(subscriptionKey(subscription)),
    async all(report) {
      const found: Subscription[] = [];
      for (const { key, document } of await rows.take(sender, clock.now(), until())) {
        try {
          found.push(decodeSubscription(document, sealer));
        } catch (error) {
          report(error, key);
        }
      }
      return found;
    },
    shared: {
      renew: () => rows.renew(sender, until()),
      async receiversOf(runId) {
        const found = await rows.find(`${runId}.`);
        return found.flatMap(({ document }) => decodeSubscription(document, sealer).receiver ?? []);
      },
    },
  };
}
