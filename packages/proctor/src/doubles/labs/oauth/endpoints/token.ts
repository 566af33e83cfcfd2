// The token endpoint (RFC 6749, section 3.2): which client, which grant.
import type { OAuthGrant } from "../../../../core/oauth-script.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import { authenticateClient } from "../authenticate-client.ts";
import { formOf, need } from "../form.ts";
import { authorizationCode } from "../grants/authorization-code.ts";
import { clientCredentials } from "../grants/client-credentials.ts";
import { deviceCode } from "../grants/device-code.ts";
import type { Grant } from "../grants/grant.ts";
import { refreshToken } from "../grants/refresh-token.ts";
import type { LabDeps, Visit } from "../lab-deps.ts";
import { OAuthError } from "../oauth-error.ts";

/** Names of each grant in requests (`grant_type`). */
export const GRANT_TYPES: Readonly<Record<string, readonly [OAuthGrant, Grant]>> = {
  client_credentials: ["client_credentials", clientCredentials],
  authorization_code: ["authorization_code", authorizationCode],
  refresh_token: ["refresh_token", refreshToken],
  "urn:ietf:params:oauth:grant-type:device_code": ["device_code", deviceCode],
};

export async function answerToken(parts: LabDeps, visit: Visit): Promise<Response> {
  const form = formOf(visit.parameters);
  const client = authenticateClient(parts.settings, visit.request, form);
  visit.note({ client_id: client.id });
  const type = need(form, "grant_type");
  const [name, grant] = (Object.hasOwn(GRANT_TYPES, type) ? GRANT_TYPES[type] : undefined) ?? [];
  if (name === undefined || grant === undefined) {
    throw new OAuthError("unsupported_grant_type", "the server has no such grant");
  }
  if (!client.grants.includes(name)) {
    throw new OAuthError("unauthorized_client", `the client may not use the grant ${name}`);
  }
  const answer = await grant(parts, { client, form, fault: visit.tokenFault });
  return jsonResponse(answer, 200, { pragma: "no-cache" });
}
