// Tokens: who may do what. Tokens manages them; Authority answers the checks of every endpoint.
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
  /** Gives the token a new secret; the old one counts for `overlapSeconds` more. */
  rotate(id: string, overlapSeconds?: number, caller?: Caller): Promise<IssuedToken>;
  /** Revoking a revoked token is a no-op. */
  revoke(id: string, caller?: Caller): Promise<Token>;
  /** Lists entries of the audit log, newest first. */
  audit(query: AuditQuery): Promise<Page<AuditEntry>>;
}

export interface Authority {
  /** Returns true where every request needs a token: from the first token on, for good. */
  closed(): boolean;
  /**
   * Returns the holder of this token. At once where it is known, because every request asks. Throws UNAUTHORIZED, RATE_LIMITED. `address` is
   * the peer's.
   */
  identify(secret: string, address?: string): Caller | Promise<Caller>;
  /** Uses up an enrolment token in the name of the agent that registers with it. Throws UNAUTHORIZED when it was used before. */
  enrol(caller: Caller, agent: string): Promise<void>;
  /** Revokes the tokens that the agent's registrations returned: a later agent of the same name must not share them. */
  retire(agent: string, caller: Caller): Promise<void>;
  /** Issues a short-lived token for what a run's agent may reach while it runs. */
  issueForRun(runId: string, agent: string, expiresAtMs: number): Promise<string>;
  /** Returns a signal that aborts when the caller's token is revoked or expires, so that its open connections end. Undefined without a token. */
  ended(caller: Caller): AbortSignal | undefined;
  /** Writes to the audit log. Never throws: an entry that cannot be written is reported. */
  note(entry: NewAuditEntry): void;
}
