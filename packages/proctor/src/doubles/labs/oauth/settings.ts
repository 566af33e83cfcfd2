// The script of a mock OAuth server with everything filled in that it leaves out.
import {
  OAUTH_GRANTS,
  type OAuthClient,
  type OAuthScript,
  type OAuthUser,
} from "../../../core/oauth-script.ts";

export interface OAuthSettings {
  algorithm: "RS256" | "ES256";
  /** Audience of access tokens; undefined where they are for every server that trusts the issuer, and name the issuer itself. */
  audience: string | undefined;
  tokenSeconds: number;
  refreshSeconds: number;
  codeSeconds: number;
  scopes: readonly string[];
  clients: ReadonlyMap<string, Required<Pick<OAuthClient, "id" | "grants" | "scopes">> & OAuthClient>;
  users: ReadonlyMap<string, OAuthUser>;
  /** The user who logs in, with this user's decision. */
  user: OAuthUser;
  decision: "approve" | "deny";
  device: {
    interval: number;
    expiresIn: number;
    answers: readonly ("pending" | "slow_down" | "approve" | "deny" | "expire")[];
  };
  rotate: boolean;
  rolloverAfter: number;
  keepKeys: number;
}

export type KnownClient = OAuthSettings["clients"] extends ReadonlyMap<string, infer Client> ? Client : never;

const SCOPES = ["openid", "profile", "email", "offline_access", "read", "write"];
const CLIENT: OAuthClient = { id: "test", secret: "secret" };
const USER: OAuthUser = { id: "alice", claims: { name: "Alice", email: "alice@example.com" } };

export function settingsOf(script: OAuthScript): OAuthSettings {
  const { scopes = scopesOf(script), clients = [CLIENT], users = [USER], consent = {}, device = {} } = script;
  const known = clients.map((client) => ({ grants: [...OAUTH_GRANTS], scopes: [...scopes], ...client }));
  const [first = USER] = users;
  return {
    algorithm: script.algorithm ?? "RS256",
    audience: script.audience,
    tokenSeconds: script.token_seconds ?? 3600,
    refreshSeconds: script.refresh_seconds ?? 86_400,
    codeSeconds: script.code_seconds ?? 60,
    scopes,
    clients: new Map(known.map((client) => [client.id, client])),
    users: new Map(users.map((user) => [user.id, user])),
    user: users.find(({ id }) => id === consent.user) ?? first,
    decision: consent.decision ?? "approve",
    device: {
      interval: device.interval ?? 1,
      expiresIn: device.expires_in ?? 600,
      answers: device.answers ?? ["pending", "approve"],
    },
    rotate: script.rotate_refresh_tokens ?? true,
    rolloverAfter: script.keys?.rollover_after ?? Infinity,
    keepKeys: script.keys?.keep ?? 1,
  };
}

/** Without a list of its own the server knows the usual scopes and those of its clients. */
function scopesOf({ clients = [] }: OAuthScript): string[] {
  return [...new Set([...SCOPES, ...clients.flatMap(({ scopes = [] }) => scopes)])];
}
