// What a mock OAuth server has given out and what became of it: codes, device codes, refresh tokens and access tokens. Tokens that come from one
// consent are a family, which is revoked as a whole.
import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "../../../core/ports/clock.ts";
import { createBoundedMap, type BoundedMap } from "../bounded-map.ts";

export interface Family {
  readonly clientId: string;
  /** Id of the user; absent where the client acts for itself. */
  readonly userId?: string;
  readonly scopes: readonly string[];
  readonly nonce?: string;
  revoked: boolean;
}

interface Expiring {
  readonly family: Family;
  readonly expiresAtMs: number;
}

export interface Code extends Expiring {
  readonly redirectUri: string;
  /** True when the request named the redirect address, which the token request then has to repeat. */
  readonly redirectNamed: boolean;
  readonly challenge: string;
  used: boolean;
}

export interface RefreshToken extends Expiring {
  used: boolean;
}

export interface AccessToken extends Expiring {
  readonly scopes: readonly string[];
  revoked: boolean;
}

export interface DeviceCode extends Expiring {
  readonly userCode: string;
  /** Decision of the user on the page, which overrides that of the script. */
  decision?: "approve" | "deny";
  polls: number;
  lastPollMs?: number;
  intervalMs: number;
  used: boolean;
}

export interface GrantStore {
  readonly codes: BoundedMap<Code>;
  readonly refreshTokens: BoundedMap<RefreshToken>;
  /** Access tokens by their `jti`. */
  readonly accessTokens: BoundedMap<AccessToken>;
  readonly deviceCodes: BoundedMap<DeviceCode>;
  isOver(grant: Expiring): boolean;
  endOf(seconds: number): number;
}

/** Number of codes and tokens of each kind that are kept. */
const MAX_KEPT = 10_000;

/** Letters of user codes, which are hard to confuse and form no words (RFC 8628, section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

export function createGrantStore(clock: Clock): GrantStore {
  return {
    codes: createBoundedMap(MAX_KEPT),
    refreshTokens: createBoundedMap(MAX_KEPT),
    accessTokens: createBoundedMap(MAX_KEPT),
    deviceCodes: createBoundedMap(MAX_KEPT),
    isOver: ({ expiresAtMs }) => clock.now() >= expiresAtMs,
    endOf: (seconds) => clock.now() + seconds * 1000,
  };
}

/** Returns a random text that cannot be guessed. */
export function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
