// Tokens, and the audit log.
import type { AuditQuery, Tokens } from "../../core/ports/tokens.ts";
import type { NewToken } from "../../core/token.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam } from "../call.ts";
import { pageRequest } from "../page-request.ts";
import { readBody, readOptionalBody } from "../read-body.ts";
import { created, routesOf, type Route } from "../route.ts";
import { PageQuery } from "../schemas/common.ts";
import {
  AuditList,
  AuditQueryParams,
  IssuedTokenDocument,
  NewTokenBody,
  RotateBody,
  TokenDocument,
  TokenList,
} from "../schemas/token.ts";
import { BAD_PAGE, BODY_REFUSALS } from "./refusals.ts";

const NOT_FOUND = "There is no such token.";
const MALFORMED = "The body is malformed.";
const TAG = "Tokens";

export function tokenRoutes(tokens: Tokens, bodyLimitBytes: number): Route[] {
  return routesOf({ tag: TAG, unbound: true, scope: "admin" }, [
    {
      id: "createToken",
      at: "POST /tokens",
      summary: "Create a token",
      description:
        "The answer has the secret, which is never shown again. The first token closes the hub: from then on every request needs one.",
      body: {
        schema: NewTokenBody,
        required: true,
        example: {
          name: "ci",
          scopes: ["runs:read", "runs:write"],
          binding: { kind: "agent", name: "writer" },
        },
      },
      responses: {
        201: created("The token and its secret.", IssuedTokenDocument, "token"),
        400: MALFORMED,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = await readBody(call.request, NewTokenBody, bodyLimitBytes);
        // NewTokenBody is NewToken as a schema; JSON has no `undefined`, so no optional field holds one.
        const issued = await tokens.create(body as NewToken, call.caller);
        return jsonResponse(issued, 201, { location: `/tokens/${issued.token.id}` });
      },
    },
    {
      id: "listTokens",
      at: "GET /tokens",
      summary: "List tokens",
      query: PageQuery,
      responses: {
        200: { description: "A page of tokens, the newest first.", schema: TokenList },
        400: BAD_PAGE,
      },
      handle: async (call) => jsonResponse(await tokens.list(pageRequest(call))),
    },
    {
      id: "getToken",
      at: "GET /tokens/{id}",
      summary: "Read a token",
      responses: {
        200: { description: "The token, without its secret.", schema: TokenDocument },
        404: NOT_FOUND,
      },
      handle: async (call) => jsonResponse(await tokens.get(pathParam(call, "id"))),
    },
    {
      id: "rotateToken",
      at: "POST /tokens/{id}/rotate",
      summary: "Give a token a new secret",
      description: "The old secret counts for a while, so that its users can change over.",
      body: { schema: RotateBody, required: false, example: { overlap_seconds: 3600 } },
      responses: {
        200: { description: "The token and its new secret.", schema: IssuedTokenDocument },
        400: MALFORMED,
        404: NOT_FOUND,
        409: "It is revoked, or was used.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { overlap_seconds } = await readOptionalBody(call.request, RotateBody, bodyLimitBytes);
        return jsonResponse(await tokens.rotate(pathParam(call, "id"), overlap_seconds, call.caller));
      },
    },
    {
      id: "revokeToken",
      at: "POST /tokens/{id}/revoke",
      summary: "Revoke a token",
      description: "At once, and for good. Streams and sockets that it opened end.",
      responses: { 200: { description: "The token, revoked.", schema: TokenDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await tokens.revoke(pathParam(call, "id"), call.caller)),
    },
    {
      id: "listAudit",
      at: "GET /audit",
      summary: "Read the audit log",
      description: "At most 100,000 entries of the last 90 days.",
      query: AuditQueryParams,
      responses: {
        200: { description: "A page of entries, the newest first.", schema: AuditList },
        400: BAD_PAGE,
      },
      handle: async (call) =>
        jsonResponse(await tokens.audit(readQuery(call.request.url, AuditQueryParams) as AuditQuery)),
    },
  ]);
}
