// Brings one envelope to an agent that takes envelopes by HTTP.
import type { AgentSpec } from "../agent.ts";
import type { Envelope, EnvelopeDraft } from "../envelope.ts";

/** `replies` came in the answer. `refused` means that the agent will never take it; after any other trouble another attempt is made. */
export type Delivered = { replies: EnvelopeDraft[] } | { trouble: string; refused: boolean };

/** Where an agent takes envelopes. */
export interface EnvelopeAddress {
  /** The agent's spec, secrets included. */
  spec: AgentSpec;
  /** Whether a client registered the agent, and so chose where the hub connects to. */
  registered: boolean;
}

export type DeliverEnvelope = (
  address: EnvelopeAddress,
  envelope: Envelope,
  signal: AbortSignal,
) => Promise<Delivered>;
