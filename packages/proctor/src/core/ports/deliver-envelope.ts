// Brings one envelope to an agent that takes envelopes by HTTP.
import type { AgentSpec } from "../agent.ts";
import type { Envelope, EnvelopeDraft } from "../envelope.ts";

/** `replies` came in the answer. `refused` will never be taken; after any other trouble it is worth another attempt. */
export type Delivered = { replies: EnvelopeDraft[] } | { trouble: string; refused: boolean };

/** Where an agent takes envelopes. */
export interface EnvelopeAddress {
  /** Secrets included. */
  spec: AgentSpec;
  /** Whether somebody registered it, and so chose where the hub connects to. */
  registered: boolean;
}

export type DeliverEnvelope = (
  address: EnvelopeAddress,
  envelope: Envelope,
  signal: AbortSignal,
) => Promise<Delivered>;
