// A stand-in that runs as a program of its own, and what was asked of it, as the hub keeps both.
import type { Json } from "./json.ts";

export const DOUBLE_KINDS = ["agent", "tools", "model", "oauth", "push"] as const;
export type DoubleKind = (typeof DOUBLE_KINDS)[number];

/** `gone`: nothing was heard of it for longer than it may be silent; `ended`: it said so. */
export const DOUBLE_STATES = ["live", "gone", "ended"] as const;
export type DoubleState = (typeof DOUBLE_STATES)[number];

/** What a double says of itself when it starts. */
export interface NewDouble {
  kind: DoubleKind;
  /** The file that it plays, or what it is. */
  name: string;
  /** Where agents and clients reach it. */
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
  /** How many requests it was asked, also those that are no longer kept. */
  requests: number;
  /** How many of them nothing in its script matched. */
  unmatched: number;
  /** How many are no longer kept. */
  dropped: number;
}

/** One request that a double was asked. */
export interface NewDoubleRequest {
  at: string;
  /** Operation, tool, model or endpoint: `send`, `web_search`, `chat gpt-4o`, `POST /token`. */
  asked: string;
  request: Json;
  answered: Json;
  /** The script, rule or answer that was used; null where none was. */
  matched: string | null;
  /** True where the script has nothing for it, or the request was refused. */
  unmatched: boolean;
}

export interface DoubleRequest extends NewDoubleRequest {
  /** Counts from 1. */
  number: number;
}

export interface DoubleRequestQuery {
  cursor?: string | undefined;
  limit?: number | undefined;
  /** Only those that nothing matched. */
  unmatched?: boolean | undefined;
  /** Only those that have this text, in any case. */
  text?: string | undefined;
}
