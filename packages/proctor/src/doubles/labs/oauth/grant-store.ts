// What a mock OAuth server has given out and what became of it: codes, device codes, refresh tokens and access tokens. Tokens that come from one
// consent are a family, which is revoked as a whole.
import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "../../../core/ports/clock.ts";
import { createBoundedMap, type BoundedMap } from "../bounded-map.ts";

export interface Family {
  readonly clientId: string;
  /** Absent where the client asks for itself. */
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
  /** Whether the request named the address, which the request for a token then has to repeat. */
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
  /** Set by the page that the user visits; it stands above what the script answers. */
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

/** Letters that are hard to confuse and make no words (RFC 8628, section 6.1). */
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

/** A text that nobody guesses. */
export function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
