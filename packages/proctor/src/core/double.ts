// A stand-in that runs as a program of its own, and the requests sent to it, as the hub keeps both.
import type { Json } from "./json.ts";

export const DOUBLE_KINDS = ["agent", "tools", "model", "oauth", "push"] as const;
export type DoubleKind = (typeof DOUBLE_KINDS)[number];

/** `gone`: the double was silent for longer than it may be; `ended`: it reported its end. */
export const DOUBLE_STATES = ["live", "gone", "ended"] as const;
export type DoubleState = (typeof DOUBLE_STATES)[number];

/** What a double reports about itself when it starts. */
export interface NewDouble {
  kind: DoubleKind;
  /** The file that the double plays, or what it is. */
  name: string;
  /** Where agents and clients reach the double. */
  address: string;
  host: string;
  pid: number;
}

export interface Double extends NewDouble {
  id: string;
  state: DoubleState;
  started_at: string;
  seen_at: string;
  ended_at: string | null;
  /** Number of requests that the double received, including those that are no longer kept. */
  requests: number;
  /** Number of requests that nothing in the script matched. */
  unmatched: number;
  /** Number of requests that are no longer kept. */
  dropped: number;
}

/** One request that a double received. */
export interface NewDoubleRequest {
  at: string;
  /** Operation, tool, model or endpoint: `send`, `web_search`, `chat gpt-4o`, `POST /token`. */
  asked: string;
  request: Json;
  answered: Json;
  /** The script, rule or answer that was used; null where none was. */
  matched: string | null;
  /** True where the script has nothing for the request, or the request was refused. */
  unmatched: boolean;
}

export interface DoubleRequest extends NewDoubleRequest {
  /** Number of the request, from 1. */
  number: number;
}

export interface DoubleRequestQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Selects only requests that nothing matched. */
  unmatched?: boolean | undefined;
  /** Selects only requests that contain this text, in upper or lower case. */
  text?: string | undefined;
}
