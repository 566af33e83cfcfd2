// A refusal in the form of RFC 6749, section 5.2, which the other endpoints share.
import { jsonResponse, type PlainHeaders } from "../../../runtime/http/respond.ts";

/** The codes of RFC 6749 (4.1.2.1, 5.2), RFC 8628 (3.5) and RFC 6750 (3.1). */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  | "invalid_token"
  | "insufficient_scope"
  | "server_error";

export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: PlainHeaders;

  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = 400, headers = {} }: { status?: number; headers?: PlainHeaders } = {},
  ) {
    super(description);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

export function oauthErrorResponse({ code, message, status, headers }: OAuthError): Response {
  return jsonResponse({ error: code, error_description: message }, status, {
    pragma: "no-cache",
    ...headers,
  });
}
