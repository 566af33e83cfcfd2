// Gives a run a language model of its own: an OpenAI-compatible endpoint with a key that means nothing elsewhere. The real key, the
// prices and the budget stay with the hub.
import type { AgentEventPayloads } from "../event.ts";

export interface ModelHost {
  /** Throws when the model cannot be served. */
  open(request: OpenModel): Promise<ModelEndpoint>;
}

export interface OpenModel {
  runId: string;
  /** The run's trace, which its calls of the real model belong to. */
  traceId: string;
  /** The key that the agent sends to its model endpoint. */
  key: string;
  /** The model of every request, whatever it asks for; the hub's own when absent. */
  model?: string;
  /** US dollars that the run may spend at this endpoint, checked before each call; calls beyond are answered with 402. No limit when absent. */
  budgetUsd?: number;
  /** Asked before each call is passed on: why it is not, where the runs around this one have used up what they share. Such a call is answered 402. */
  usedUp?(): Promise<string | undefined>;
  /** Called, and awaited, before the agent gets the end of its answer. */
  onCall(call: ModelCall): Promise<void>;
}

/** A call in the form of an `llm_request` event; `observed` tells it from the calls that agents report themselves. */
export type ModelCall = AgentEventPayloads["llm_request"] & {
  observed: true;
  /** The HTTP status of the answer. */
  status: number;
  stream?: boolean;
  error?: string;
};

export interface ModelEndpoint {
  /** The value of `LLM_API_URL`: an address on loopback that ends in `/v1`. */
  url: string;
  port: number;
  /** The value of `LLM_PROVIDER`: `openai`, `openrouter`, `mock`, … */
  provider: string;
  /** The value of `LLM_MODEL`. */
  model: string;
  close(): Promise<void>;
}
