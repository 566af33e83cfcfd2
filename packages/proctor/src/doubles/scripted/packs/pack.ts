// What a built-in pack is: behaviours as rules, and how the agent is to be met where a kit asks for more than behaviours.
import type { PatchLevel } from "../../../protocols/a2a/errors.ts";
import type { Rule } from "../choose-script.ts";
import type { Script } from "../script.ts";

export interface Pack {
  rules: Rule[];
  fallback: Script;
  /** Default patch version, which decides which HTTP statuses errors have. */
  patch?: PatchLevel;
  /** True where cards of 0.3 give the address of gRPC as a URL, and not as the `host:port` that gRPC libraries take. */
  grpcAsUrl?: boolean;
}

export interface PackOptions {
  /** The kit's time limit for streams, in milliseconds: TCK_STREAMING_TIMEOUT, 2 seconds unless it is set. */
  streamingTimeoutMs?: number;
}

export const STREAMING_TIMEOUT_MS = 2000;
