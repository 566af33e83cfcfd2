// What a mock OAuth server knows and how it misbehaves, and a request to it as it happened. Written in YAML by people, served by
// doubles/labs/oauth.
import type { Json, JsonObject } from "./json.ts";

export const OAUTH_ALGORITHMS = ["RS256", "ES256"] as const;
export const OAUTH_GRANTS = [
  "client_credentials",
  "authorization_code",
  "refresh_token",
  "device_code",
] as const;
export const DEVICE_ANSWERS = ["pending", "slow_down", "approve", "deny", "expire"] as const;
export const OAUTH_ENDPOINTS = [
  "discovery",
  "jwks",
  "token",
  "authorize",
  "device_authorization",
  "device",
  "userinfo",
  "introspect",
  "revoke",
] as const;
/** Defects that an access token can have though it looks valid. */
export const TOKEN_FAULTS = [
  "wrong_scope",
  "expired",
  "not_yet_valid",
  "wrong_audience",
  "wrong_issuer",
  "bad_signature",
  "unknown_kid",
  "unsigned",
] as const;

export type OAuthGrant = (typeof OAUTH_GRANTS)[number];
export type OAuthEndpoint = (typeof OAUTH_ENDPOINTS)[number];
export type DeviceAnswer = (typeof DEVICE_ANSWERS)[number];
export type TokenFault = (typeof TOKEN_FAULTS)[number];

export interface OAuthScript extends JsonObject {
  /** Name that reports show. */
  name?: string;
  /** The issuer that tokens and metadata name; the address of the server when absent. */
  issuer?: string;
  algorithm?: (typeof OAUTH_ALGORITHMS)[number];
  /** The audience of access tokens of clients that have none of their own; the issuer when absent. */
  audience?: string;
  /** Seconds for which access tokens, refresh tokens and codes are valid. */
  token_seconds?: number;
  refresh_seconds?: number;
  code_seconds?: number;
  /** The scopes that there are. */
  scopes?: string[];
  clients?: OAuthClient[];
  users?: OAuthUser[];
  /** What the person who logs in answers, at `/authorize` and on the page of the device flow. */
  consent?: { user?: string; decision?: "approve" | "deny" };
  device?: {
    /** Seconds that a client waits between two polls; 0 allows any pace. */
    interval?: number;
    expires_in?: number;
    /** Answers to the polls of a device code, in order; the last is repeated. */
    answers?: DeviceAnswer[];
  };
  /** Whether a refresh token is replaced when it is used. */
  rotate_refresh_tokens?: boolean;
  keys?: {
    /** Number of tokens after which a new key signs. */
    rollover_after?: number;
    /** Number of former keys that the key set still lists. */
    keep?: number;
  };
  faults?: OAuthFault[];
}

export interface OAuthClient extends JsonObject {
  id: string;
  /** The client's secret; a client without one is public. */
  secret?: string;
  /** Addresses to which `/authorize` may redirect; any address of this machine when absent. */
  redirect_uris?: string[];
  /** Grants that the client may use; all when absent. */
  grants?: OAuthGrant[];
  /** Scopes that the client may ask for; all scopes of the server when absent. */
  scopes?: string[];
  audience?: string;
}

export interface OAuthUser extends JsonObject {
  id: string;
  /** What `/userinfo` and id tokens say about the user. */
  claims?: JsonObject;
}

/** Everything that is given happens to the request, in this order: delay, cut, status, malformed, token. */
export interface OAuthFault extends JsonObject {
  at: OAuthEndpoint;
  /** Number of requests that succeed before the fault. */
  after?: number;
  /** Number of requests that meet the fault; all that follow when absent. */
  times?: number;
  delay_ms?: number;
  /** Whether the connection is cut instead of answered. */
  cut?: boolean;
  status?: number;
  /** Code of the error that goes with the status. */
  error?: string;
  retry_after?: number;
  /** Whether the answer is invalid JSON. */
  malformed?: boolean;
  token?: TokenFault;
}

/** A type alias, so that it counts as JSON. */
export type OAuthRequest = {
  /** Number of the request, from 1; requests that were dropped count too. */
  number: number;
  /** When the request arrived, in ISO 8601. */
  time: string;
  /** The endpoint, or `none` for a path that does not exist. */
  endpoint: OAuthEndpoint | "none";
  method: string;
  path: string;
  /** Headers and parameters; values that prove an identity are replaced. */
  headers: Record<string, string>;
  parameters: Record<string, Json>;
  client_id?: string;
  grant_type?: string;
  status: number;
  /** Code of the error in the answer. */
  error?: string;
  error_description?: string;
  /** The faults that were put into the answer. */
  faults?: string[];
};
