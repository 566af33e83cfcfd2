// What the endpoints of a mock OAuth server share.
import type { Clock } from "../../../core/ports/clock.ts";
import type { OAuthRequest, TokenFault } from "../../../core/oauth-script.ts";
import type { GrantStore } from "./grant-store.ts";
import type { KeyRing } from "./key-ring.ts";
import type { OAuthSettings } from "./settings.ts";
import type { VerifyToken } from "./verify-token.ts";

export interface LabDeps {
  settings: OAuthSettings;
  keys: KeyRing;
  store: GrantStore;
  clock: Clock;
  /** Returns the issuer, which is the base address of the endpoints. */
  issuer: () => string;
  origin: () => string;
  verify: VerifyToken;
}

/** A request that is being answered. */
export interface Visit {
  request: Request;
  /** Parameters of the query, or of the body of a POST. */
  parameters: URLSearchParams;
  /** Adds facts about the request to its record. */
  note: (facts: Partial<OAuthRequest>) => void;
  /** The fault of the token that this request gets. */
  tokenFault: TokenFault | undefined;
}
