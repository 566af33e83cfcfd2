// Tokens and the audit log as a store keeps them: a part of Store. Secrets are there as digests only.
import type { Page, PageRequest } from "../page.ts";
import type { AuditEntry, NewAuditEntry, Token } from "../token.ts";

export interface StoredToken {
  token: Token;
  /** sha256 of the whole token, as hex. */
  digest: string;
  /** The digest that the token had before it was rotated. */
  previousDigest: string | null;
}

export interface AuditFilter extends PageRequest {
  actor?: string;
  subject?: string;
}

export interface TokenStore {
  /** Keeps a token. One of kind `api` or `enrol` closes the hub for good, in the same commit: from then on it requires tokens. */
  add(token: StoredToken): Promise<void>;
  read(id: string): Promise<StoredToken | undefined>;
  /** Lists tokens, newest first. */
  list(page: PageRequest): Promise<Page<Token>>;
  /** Replaces the digest; the old one counts until then (epoch milliseconds). Undefined where there is no such token in force. */
  rotate(id: string, digest: string, previousUntil: number): Promise<StoredToken | undefined>;
  /** Revokes a token; only the first time counts. Undefined where there is no such token. */
  revoke(id: string, at: number): Promise<StoredToken | undefined>;
  /** Resolves with the ids of the tokens in force that were issued to this agent when it registered. */
  ofAgent(agent: string): Promise<string[]>;
  /** Uses up an enrolment token, once, even among concurrent callers. False when it was used, revoked or had expired at `at`. */
  use(id: string, agent: string, at: number): Promise<boolean>;
  /** Notes when tokens were last used. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Resolves with true once a token has closed the hub. */
  isClosed(): Promise<boolean>;

  /** Appends to the audit log; removes entries beyond its bounds, and tokens that had ended before those. */
  note(entries: readonly (NewAuditEntry & { at: number })[]): Promise<void>;
  /** Lists entries of the audit log, newest first. */
  audit(filter: AuditFilter): Promise<Page<AuditEntry>>;
}

/** Bounds of the audit log: entries, and milliseconds that an entry is kept. */
export const AUDIT_LIMITS = { entries: 100_000, ageMs: 90 * 24 * 60 * 60 * 1000 };
