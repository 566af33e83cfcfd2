// What clients find out about the server by themselves (RFC 8414; OpenID Connect Discovery 1.0), and its keys.
import { OAUTH_GRANTS } from "../../../../core/oauth-script.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import type { LabDeps } from "../lab-deps.ts";
import { GRANT_TYPES } from "./token.ts";

const CLIENT_METHODS = ["client_secret_basic", "client_secret_post", "none"];

export function answerDiscovery({ settings, keys, issuer, origin }: LabDeps): Response {
  const used = new Set([...settings.clients.values()].flatMap(({ grants }) => grants ?? OAUTH_GRANTS));
  const at = (path: string): string => `${origin()}${path}`;
  return jsonResponse({
    issuer: issuer(),
    authorization_endpoint: at("/authorize"),
    token_endpoint: at("/token"),
    device_authorization_endpoint: at("/device_authorization"),
    userinfo_endpoint: at("/userinfo"),
    introspection_endpoint: at("/introspect"),
    revocation_endpoint: at("/revoke"),
    jwks_uri: at("/jwks"),
    scopes_supported: settings.scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: Object.entries(GRANT_TYPES).flatMap(([type, [name]]) =>
      used.has(name) ? [type] : [],
    ),
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [keys.algorithm],
    token_endpoint_auth_methods_supported: CLIENT_METHODS,
    introspection_endpoint_auth_methods_supported: CLIENT_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_METHODS,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
}

export function answerJwks({ keys }: LabDeps): Response {
  return jsonResponse(keys.jwks(), 200, { "content-type": "application/jwk-set+json" });
}
