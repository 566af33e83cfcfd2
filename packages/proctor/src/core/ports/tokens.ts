// Tokens: who may do what. Tokens manages them; Authority is what every door asks.
import type { Caller } from "../caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type { AuditEntry, IssuedToken, NewAuditEntry, NewToken, Token } from "../token.ts";

export interface AuditQuery extends PageRequest {
  actor?: string;
  subject?: string;
}

/** In this process (access/), and over HTTP (hub/). A caller cannot give more than it has. */
export interface Tokens {
  create(token: NewToken, caller?: Caller): Promise<IssuedToken>;
  list(page: PageRequest): Promise<Page<Token>>;
  /** Throws TOKEN_NOT_FOUND. */
  get(id: string): Promise<Token>;
  /** A new secret; the old one counts for so long. */
  rotate(id: string, overlapSeconds?: number, caller?: Caller): Promise<IssuedToken>;
  /** Revoking a revoked token is a no-op. */
  revoke(id: string, caller?: Caller): Promise<Token>;
  /** Newest first. */
  audit(query: AuditQuery): Promise<Page<AuditEntry>>;
}

export interface Authority {
  /** True where nobody gets in without a token: from the first token on, for good. */
  closed(): boolean;
  /**
   * Who holds this token. At once where it is known, because every request asks. Throws UNAUTHORIZED, RATE_LIMITED. `address` is
   * the peer's.
   */
  identify(secret: string, address?: string): Caller | Promise<Caller>;
  /** Uses up an enrolment token in the name of the agent that registers with it. Throws UNAUTHORIZED when it was used before. */
  enrol(caller: Caller, agent: string): Promise<void>;
  /** Revokes the tokens that the agent's registrations returned: whoever takes its name later must not share it. */
  retire(agent: string, caller: Caller): Promise<void>;
  /** A short-lived token for what a run's agent may reach while it runs. */
  issueForRun(runId: string, agent: string, expiresAtMs: number): Promise<string>;
  /** Aborts when the caller's token is revoked or expires, so that what it holds open ends. Undefined where it has none. */
  ended(caller: Caller): AbortSignal | undefined;
  /** Writes to the audit log. Never throws: what cannot be written is reported. */
  note(entry: NewAuditEntry): void;
}
