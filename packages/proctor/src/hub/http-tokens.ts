// The tokens of a hub elsewhere, over its neutral API. Who asks is known there by the token that comes with the request.
import type { Page } from "../core/page.ts";
import type { Tokens } from "../core/ports/tokens.ts";
import type { AuditEntry, IssuedToken, Token } from "../core/token.ts";
import type { HttpClient } from "./http-client.ts";
import { path } from "./http-path.ts";
import { query } from "./http-query.ts";

export function createHttpTokens(client: HttpClient): Tokens {
  return {
    create: (token) => client.sendJson<IssuedToken>("/tokens", { method: "POST", body: token }),
    list: ({ cursor, limit }) => client.sendJson<Page<Token>>(`/tokens${query({ cursor, limit })}`),
    get: (id) => client.sendJson<Token>(path`/tokens/${id}`),
    rotate: (id, overlapSeconds) =>
      client.sendJson<IssuedToken>(path`/tokens/${id}/rotate`, {
        method: "POST",
        body: overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds },
      }),
    revoke: (id) => client.sendJson<Token>(path`/tokens/${id}/revoke`, { method: "POST", body: {} }),
    audit: ({ actor, subject, cursor, limit }) =>
      client.sendJson<Page<AuditEntry>>(`/audit${query({ actor, subject, cursor, limit })}`),
  };
}
