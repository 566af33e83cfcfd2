// Which client is asking, by its secret in the header or in the body (RFC 6749, section 2.3.1); public clients only say who they are.
import type { KnownClient, OAuthSettings } from "./settings.ts";
import { OAuthError } from "./oauth-error.ts";
import { readBasic } from "./read-basic.ts";
import type { Form } from "./form.ts";

/** Returns the client that made the request. Throws OAuthError. */
export function authenticateClient(
  { clients }: Pick<OAuthSettings, "clients">,
  request: Request,
  form: Form,
): KnownClient {
  const header = request.headers.get("authorization");
  if (header !== null && form["client_secret"] !== undefined) {
    throw new OAuthError("invalid_request", "the client authenticates in two ways at once");
  }
  const { id, secret } = header === null ? inBody(form) : inHeader(header);
  if (form["client_id"] !== undefined && form["client_id"] !== id) {
    throw new OAuthError("invalid_request", "client_id is not the client that authenticates");
  }
  const client = clients.get(id ?? "");
  if (id === undefined) throw refused("no client authenticates");
  if (client === undefined) throw refused("there is no such client");
  if (client.secret !== secret)
    throw refused(secret === undefined ? "the secret is missing" : "the secret is wrong");
  return client;
}

interface Given {
  id: string | undefined;
  secret: string | undefined;
}

function inBody({ client_id: id, client_secret: secret }: Form): Given {
  return { id, secret };
}

function inHeader(header: string): Given {
  const basic = readBasic(header);
  if (basic === undefined) throw refused("Authorization is not Basic with an id and a secret");
  return { id: basic.id, secret: basic.secret === "" ? undefined : basic.secret };
}

/** Returns the error for a refused client, which names the accepted scheme, as every 401 must. */
function refused(why: string): OAuthError {
  const headers = { "www-authenticate": 'Basic realm="proctor", charset="UTF-8"' };
  return new OAuthError("invalid_client", why, { status: 401, headers });
}
