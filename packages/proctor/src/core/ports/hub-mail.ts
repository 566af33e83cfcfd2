// How drivers send and receive envelopes in the hub's name: the agent at the other end answers with envelopes of its own, to `hub`.
import type { Envelope, EnvelopeDraft } from "../envelope.ts";

export interface HubMail {
  /** Sends an envelope in the hub's name; resolves when it is on disk. Throws as `Messages.send` does. */
  post(draft: EnvelopeDraft): Promise<void>;
  /**
   * Hands every envelope that answers this id to the listener, in order, until the returned function is called. Where `from` is given,
   * envelopes of other senders are left out.
   */
  expect(id: string, from: string | undefined, listener: (envelope: Envelope) => void): () => void;
}
