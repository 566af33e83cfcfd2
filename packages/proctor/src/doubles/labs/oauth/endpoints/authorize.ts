// The authorization endpoint (RFC 6749, section 4.1.1): logs in and decides at once, as the script says. PKCE is required, with S256 (RFC 7636).
import { isLoopback } from "../../../../runtime/addresses/is-loopback.ts";
import { chooseScopes } from "../choose-scopes.ts";
import { formOf, need } from "../form.ts";
import { newSecret } from "../grant-store.ts";
import type { LabDeps, Visit } from "../lab-deps.ts";
import { OAuthError } from "../oauth-error.ts";
import type { KnownClient } from "../settings.ts";

export async function answerAuthorize(parts: LabDeps, visit: Visit): Promise<Response> {
  const { settings, issuer } = parts;
  const form = formOf(visit.parameters);
  const client = settings.clients.get(need(form, "client_id"));
  // Users are never redirected to an address that is not the client's (RFC 6749, section 4.1.2.1).
  if (client === undefined) throw new OAuthError("invalid_request", "there is no such client");
  visit.note({ client_id: client.id });
  const redirectUri = redirectOf(client, form["redirect_uri"]);
  const { state } = form;
  const leave = (answer: Record<string, string>): Response => {
    const url = new URL(redirectUri);
    // RFC 9207: the client can tell which server answers.
    const all = { ...answer, ...(state !== undefined && { state }), iss: issuer() };
    for (const [name, value] of Object.entries(all)) url.searchParams.append(name, value);
    return new Response(null, { status: 302, headers: { location: url.href, "cache-control": "no-store" } });
  };
  try {
    return leave({ code: grantCode(parts, { client, form, redirectUri }) });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    visit.note({ error: error.code, error_description: error.message });
    return leave({ error: error.code, error_description: error.message });
  }
}

interface CodeRequest {
  client: KnownClient;
  form: ReturnType<typeof formOf>;
  redirectUri: string;
}

/** Returns a new code. Throws OAuthError for errors that are reported to the client's redirect address. */
function grantCode({ settings, store }: LabDeps, { client, form, redirectUri }: CodeRequest): string {
  if (!client.grants.includes("authorization_code")) {
    throw new OAuthError("unauthorized_client", "the client may not use the grant authorization_code");
  }
  if (need(form, "response_type") !== "code") {
    throw new OAuthError("unsupported_response_type", "the server has only the response type code");
  }
  const challenge = need(form, "code_challenge");
  // The default method is `plain` (RFC 7636, section 4.3).
  if ((form["code_challenge_method"] ?? "plain") !== "S256") {
    throw new OAuthError("invalid_request", "code_challenge_method must be S256");
  }
  if (!/^[\w-]{43}$/.test(challenge)) throw new OAuthError("invalid_request", "code_challenge is no SHA-256");
  const scopes = chooseScopes(form["scope"], client.scopes);
  if (settings.decision === "deny") throw new OAuthError("access_denied", "the user has refused");
  const code = newSecret();
  const { nonce } = form;
  const family = {
    clientId: client.id,
    userId: settings.user.id,
    scopes,
    ...(nonce !== undefined && { nonce }),
    revoked: false,
  };
  store.codes.set(code, {
    family,
    redirectUri,
    redirectNamed: form["redirect_uri"] !== undefined,
    challenge,
    expiresAtMs: store.endOf(settings.codeSeconds),
    used: false,
  });
  return code;
}

/** Throws OAuthError. Addresses are compared as texts (RFC 9700, section 2.1); on loopback any port matches (RFC 8252, section 7.3). */
function redirectOf({ redirect_uris: allowed }: KnownClient, asked: string | undefined): string {
  if (allowed === undefined) {
    const isHere = asked !== undefined && URL.canParse(asked) && isLoopback(new URL(asked).hostname);
    if (isHere && /^https?:/i.test(asked) && !asked.includes("#")) return asked;
    throw new OAuthError("invalid_request", "redirect_uri must be an address of this machine");
  }
  const [only, ...more] = allowed;
  if (asked === undefined && only !== undefined && more.length === 0) return only;
  if (asked !== undefined && allowed.some((one) => one === asked || isSameButPort(one, asked))) return asked;
  throw new OAuthError("invalid_request", "redirect_uri is not one of the client's");
}

function isSameButPort(allowed: string, asked: string): boolean {
  const port = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d+)?(?=[/?]|$)/;
  return port.test(allowed) && port.test(asked) && allowed.replace(port, "$1") === asked.replace(port, "$1");
}
