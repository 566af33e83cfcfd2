// Keeps what only the holder of a good token may ask: the answer to everybody else (RFC 6750, section 3).
import { jsonResponse } from "../../../runtime/http/respond.ts";
import type { VerifyOptions, VerifyToken } from "./verify-token.ts";

/** Returns undefined where the request may be answered, otherwise the refusal with status 401 or 403. */
export type TokenGuard = (request: Request, options?: VerifyOptions) => Promise<Response | undefined>;

export function createTokenGuard(verify: VerifyToken): TokenGuard {
  return async (request, options = {}) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    // A request without a token is told nothing but the scheme (RFC 6750, section 3.1).
    if (token === undefined) return challenge(401, { realm: "proctor" }, "a token is missing");
    const verified = await verify(token, options);
    if (verified.ok) return undefined;
    const { error, reason, status } = verified;
    const scope = error === "insufficient_scope" ? { scope: (options.scopes ?? []).join(" ") } : {};
    return challenge(status, { realm: "proctor", error, error_description: reason, ...scope }, reason);
  };
}

function challenge(status: number, words: Record<string, string>, reason: string): Response {
  const header = Object.entries(words)
    .map(([name, value]) => `${name}="${value.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")}"`)
    .join(", ");
  const body = { error: words["error"] ?? "unauthorized", error_description: reason };
  return jsonResponse(body, status, { "www-authenticate": `Bearer ${header}` });
}
