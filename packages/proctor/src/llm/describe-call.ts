// A call as the run's log has it, and what it takes from the budget.
import type { ModelCall } from "../core/ports/model-host.ts";
import { costOf, type Price, type Usage } from "./prices.ts";
import type { ChatRequest } from "./read-chat.ts";

export interface CallOutcome {
  /** Status of the HTTP response. */
  status: number;
  usage?: Usage;
  stopReason?: string;
  error?: string;
  /** True when the provider of the model may charge for the call. */
  isBilled: boolean;
}

interface CallFacts {
  /** The request as it was read; undefined when it was not understood. */
  chat: ChatRequest | undefined;
  price: Price | undefined;
  outcome: CallOutcome;
  durationMs: number;
}

const MAX_ERROR_CHARS = 1000;
const MAX_REASON_CHARS = 100;

export function describeCall({ chat, price, outcome, durationMs }: CallFacts): {
  call: ModelCall;
  chargedUsd: number;
} {
  const { status, usage, stopReason, error, isBilled } = outcome;
  const cost = usage && price && costOf(usage, price);
  // Where the usage is unknown, the budget is charged the reserved amount: leaving early does not make a call free.
  const estimated =
    cost === undefined && isBilled && chat && price ? costOf(chat.estimate, price) : undefined;
  const note = isBilled ? noteOf(usage, price) : undefined;
  const call: ModelCall = {
    observed: true,
    status,
    ...(chat && { model: chat.model }),
    ...(chat?.requestedModel !== undefined &&
      chat.requestedModel !== chat.model && { requested_model: chat.requestedModel }),
    ...(usage && { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }),
    duration_ms: durationMs,
    ...(stopReason !== undefined && stopReason.length <= MAX_REASON_CHARS && { stop_reason: stopReason }),
    ...(cost !== undefined && { cost_usd: cost }),
    ...(estimated !== undefined && { estimated_cost_usd: estimated }),
    ...(chat?.temperature !== undefined && { temperature: chat.temperature }),
    ...(chat?.stream === true && { stream: true }),
    ...(error !== undefined && { error }),
    ...(note !== undefined && { note }),
  };
  return { call, chargedUsd: cost ?? estimated ?? 0 };
}

function noteOf(usage: Usage | undefined, price: Price | undefined): string | undefined {
  const unknown = [
    ...(usage === undefined ? ["the model did not say how many tokens it used"] : []),
    ...(price === undefined ? ["the hub knows no price of this model"] : []),
  ];
  return unknown.length === 0 ? undefined : `the cost is not known: ${unknown.join(", and ")}`;
}

/** Shortens the error. Call it after secrets were replaced, because half of one would not be recognised. */
export function shortened(call: ModelCall): ModelCall {
  const { error } = call;
  return error === undefined || error.length <= MAX_ERROR_CHARS
    ? call
    : { ...call, error: `${error.slice(0, MAX_ERROR_CHARS)}…` };
}
