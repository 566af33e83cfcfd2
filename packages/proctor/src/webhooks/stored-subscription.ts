// A subscription as it is stored: JSON, with its secrets sealed.
import type { JsonObject } from "../core/json.ts";
import type { Receiver } from "../core/ports/receivers.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Subscription } from "./outbox.ts";

interface StoredSubscription extends Omit<Subscription, "receiver"> {
  receiver?: Omit<Receiver, "config"> & { config: string };
}

export function encodeSubscription({ secret, receiver, ...rest }: Subscription, sealer: Sealer): string {
  return JSON.stringify({
    ...rest,
    ...(secret !== undefined && { secret: sealer.seal(secret) }),
    ...(receiver && { receiver: { ...receiver, config: sealer.seal(JSON.stringify(receiver.config)) } }),
  });
}

/** Throws when a secret cannot be opened. */
export function decodeSubscription(text: string, sealer: Sealer): Subscription {
  // Only `encodeSubscription` writes such text.
  const { secret, receiver, ...rest } = JSON.parse(text) as StoredSubscription;
  const unsealed = (sealed: string): string => {
    const opened = sealer.open(sealed);
    if (opened === undefined) throw new Error("the secret of a webhook was sealed with a key that is gone");
    return opened;
  };
  return {
    ...rest,
    ...(secret !== undefined && { secret: unsealed(secret) }),
    ...(receiver && {
      receiver: { ...receiver, config: JSON.parse(unsealed(receiver.config)) as JsonObject },
    }),
  };
}
