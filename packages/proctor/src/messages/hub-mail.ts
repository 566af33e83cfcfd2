// The hub's own mail: envelopes that drivers wait for, by the id of what they sent.
import { HUB, type Envelope, type EnvelopeDraft } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import type { HubMail } from "../core/ports/hub-mail.ts";

export interface ConnectedMail extends HubMail {
  /** Returns whether a driver waits for the envelope. */
  isExpected(envelope: Envelope): boolean;
  /** Passes an envelope to the driver that waits for it; false when none does. */
  hand(envelope: Envelope): boolean;
  /** Sets how envelopes are sent: drivers exist before inboxes do. */
  connect(post: (draft: EnvelopeDraft) => Promise<void>): void;
}

interface Expected {
  from: string | undefined;
  listener: (envelope: Envelope) => void;
}

export function createHubMail(): ConnectedMail {
  const expected = new Map<string, Expected>();
  let post = (_draft: EnvelopeDraft): Promise<void> =>
    Promise.reject(new ProctorError("NOT_SUPPORTED", "this process sends no envelopes"));
  /** Some answer under the id of the request itself. What the hub says of a request comes from nobody else. */
  function find({ inReplyTo, id, from }: Envelope): Expected | undefined {
    const waiting = expected.get(inReplyTo ?? id);
    const isMeant = waiting?.from === undefined || waiting.from === from || from === HUB;
    return isMeant ? waiting : undefined;
  }

  return {
    post: (draft) => post(draft),
    expect(id, from, listener) {
      expected.set(id, { from, listener });
      return () => void expected.delete(id);
    },
    isExpected: (envelope) => find(envelope) !== undefined,
    hand(envelope) {
      const waiting = find(envelope);
      waiting?.listener(envelope);
      return waiting !== undefined;
    },
    connect: (how) => void (post = how),
  };
}
