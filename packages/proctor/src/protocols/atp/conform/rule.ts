// One rule for ATP agents, and the transports on which it can be tried.
import type { AdvisedRule } from "../../../conformance/try-rules.ts";
import type { Transport } from "./exchange.ts";

export interface AtpRule extends AdvisedRule {
  /** Transports to which the rule applies; all of them when absent. */
  on?: readonly Transport[];
  /** True when the finding depends on how long the agent takes; nothing else is asked of the agent meanwhile. */
  isTimed?: true;
}

/** Transports on which one agent serves many tasks. */
export const CONNECTED = ["http", "websocket", "grpc"] as const;
/** Transports that carry free text: gRPC carries neither free text nor, in most fields, values of another type. */
export const TEXTUAL = ["stdio", "http", "websocket"] as const;
