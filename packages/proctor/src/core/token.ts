// Tokens as documents. The secret itself is shown once, when it is issued, and kept nowhere.
import type { Binding } from "./caller.ts";
import type { Json } from "./json.ts";
import type { ScopeGrant } from "./scope.ts";

/** `api` for people and programs, `enrol` for one registration, `agent` for the agent that registered. */
export type TokenKind = "api" | "enrol" | "agent";

export interface TokenRate {
  /** Average number of requests per second. */
  per_second: number;
  /** Number of requests that may arrive at once. */
  burst: number;
}

export interface NewToken {
  kind?: TokenKind;
  /** The token's name for people. */
  name: string;
  scopes: ScopeGrant[];
  binding?: Binding;
  /** Seconds until the token expires, 90 days when absent; null for one that never does. */
  expires_in_seconds?: number | null;
  rate?: TokenRate;
}

export interface Token {
  id: string;
  kind: TokenKind;
  name: string;
  scopes: ScopeGrant[];
  binding: Binding | null;
  rate: TokenRate | null;
  created_at: string;
  created_by: string;
  expires_at: string | null;
  revoked_at: string | null;
  /** When the token was last used, to the minute. */
  last_used_at: string | null;
  /** When the secret from before a rotation stops counting; null while there is one secret. */
  previous_until: string | null;
  /** The agent that registered with an enrolment token; null while there is none. */
  used_by: string | null;
}

export interface IssuedToken {
  token: Token;
  /** The text to send as `Authorization: Bearer`. It is never shown again. */
  secret: string;
  /** True for the token that closed the hub: from now on every request needs a token. */
  closed_hub?: boolean;
}

export interface AuditEntry {
  sequence: number;
  at: string;
  /** A caller's name, or `nobody` for a refused one. */
  actor: string;
  /** The action: `token.created`, `token.refused`, `agent.registered`, … */
  action: string;
  /** The object of the action: `token:<id>`, `agent:<name>`, … */
  subject: string;
  details: Json;
}

export type NewAuditEntry = Omit<AuditEntry, "sequence" | "at">;
