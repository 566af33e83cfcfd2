// What an ATP agent is held to by one rule, and where it has an occasion.
import type { RuleEntry } from "../../conformance.ts";
import type { Transport } from "./exchange.ts";

export interface AtpRule extends RuleEntry {
  /** What to do when it fails. */
  advice: string;
  /** Everywhere when absent. Elsewhere it has no occasion by the nature of the transport, and is not tried. */
  on?: readonly Transport[];
}

/** Where an agent stays while its tasks come and go. */
export const CONNECTED = ["http", "websocket", "grpc"] as const;
/** gRPC carries neither free text nor, in most fields, values of another type. */
export const TEXTUAL = ["stdio", "http", "websocket"] as const;
