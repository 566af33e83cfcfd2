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
  /** The issuer, and the address that endpoints begin with. */
  issuer: () => string;
  origin: () => string;
  verify: VerifyToken;
}

/** A request that is being answered. */
export interface Visit {
  request: Request;
  /** Parameters of the query, or of the body of a POST. */
  parameters: URLSearchParams;
  /** Adds what becomes known of the request to its record. */
  note: (facts: Partial<OAuthRequest>) => void;
  /** What is wrong with the token that is given out now. */
  tokenFault: TokenFault | undefined;
}
