// Tokens by OAuth 2.0's client credentials grant (RFC 6749, section 4.4): one token for everybody who asks, kept until it expires or is
// refused. It is asked for at the configured address only.
import type { HttpClient, TlsIdentity } from "../../../../channels/http/client.ts";
import { troubleFailure, wrongContentType } from "../../../../channels/http/failures.ts";
import { readBody } from "../../../../channels/http/read-body.ts";
import { failure, type Failure } from "../../../../core/failure.ts";
import { isJsonObject } from "../../../../core/json.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import { unlessAborted } from "../../../../core/unless-aborted.ts";
import { parseAny, readRefusal } from "../../../http-refusal.ts";
import { A2aError } from "../../errors.ts";
import { TransportFailure } from "../transport-failure.ts";
import type { OAuthOptions } from "../../../../runtime/schemas/credentials.ts";
import type { ClientAuth } from "./client-auth.ts";

interface Token {
  value: string;
  /** Time at which the token expires, in epoch milliseconds. */
  expiresAt: number;
}

const MAX_BYTES = 64 * 1024;
/** Time limit for a token server, in milliseconds. */
const PATIENCE_MS = 30_000;
/** Milliseconds before its end from which a token is not used: it would expire on the way. */
const MARGIN_MS = 10_000;
const DEFAULT_LIFE_SECONDS = 300;
/** Most characters of a token: longer ones do not fit into a header. */
const MAX_TOKEN_CHARS = 16 * 1024;
const NAME = "the request for a token";

export function createClientCredentials(
  options: OAuthOptions,
  deps: { http: HttpClient; clock: Clock; tls?: TlsIdentity },
): ClientAuth {
  const { clock } = deps;
  const url = new URL(options.token_url);
  let current: Token | undefined;
  let fetching: Promise<Token> | undefined;

  async function fetchToken(): Promise<Token> {
    const exchanged = await deps.http.post(
      { url, ...formOf(options), ...(deps.tls && { tls: deps.tls }) },
      AbortSignal.timeout(PATIENCE_MS),
    );
    if (exchanged.kind === "failed") throw noToken(troubleFailure(exchanged.trouble, { url }));
    const { answer } = exchanged;
    const asked = { name: NAME, url };
    // The server's words are not shown: they may quote the secret.
    const refusal = await readRefusal(answer, asked);
    if (refusal) throw noToken(refusedBy(url, refusal.failure));
    const body = await readBody(answer.body, MAX_BYTES, { patienceMs: PATIENCE_MS });
    if (body.trouble) throw noToken(troubleFailure(body.trouble, { url }));
    const json = parseAny(body.bytes.toString());
    if (!isJsonObject(json)) throw noToken(wrongContentType(answer.headers["content-type"], asked, "JSON"));
    const { access_token: value, token_type: type, expires_in: life } = json;
    if (typeof value !== "string" || !/^[\x21-\x7e]+$/.test(value) || value.length > MAX_TOKEN_CHARS) {
      throw noToken(failure("INVALID_RESPONSE", `${url.origin} answered ${NAME} without an access_token`));
    }
    if (typeof type === "string" && type.toLowerCase() !== "bearer") {
      throw noToken(failure("INVALID_RESPONSE", `${url.origin} gave a token that is no bearer token`));
    }
    const seconds = typeof life === "number" && life > 0 ? life : DEFAULT_LIFE_SECONDS;
    return { value, expiresAt: clock.now() + seconds * 1000 };
  }

  /** Concurrent callers share one token request, and none of them ends it for the others. */
  function token(): Promise<Token> {
    fetching ??= fetchToken().finally(() => (fetching = undefined));
    return fetching;
  }

  return {
    async apply({ headers }, signal) {
      if (current === undefined || current.expiresAt - MARGIN_MS <= clock.now()) {
        current = await unlessAborted(token(), signal);
      }
      headers["authorization"] = `Bearer ${current.value}`;
    },
    renew() {
      current = undefined;
      return true;
    },
  };
}

function formOf(options: OAuthOptions): { headers: Record<string, string>; content: string } {
  const { client_id: id, client_secret: secret, scopes, audience, credentials_in: place } = options;
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes.length > 0) form.set("scope", scopes.join(" "));
  if (audience !== undefined) form.set("audience", audience);
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "proctor",
  };
  if (place === "body") {
    form.set("client_id", id);
    form.set("client_secret", secret);
  } else {
    // RFC 6749, section 2.3.1: both are encoded as a form's values before they are joined.
    const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
    headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  return { headers, content: form.toString() };
}

function refusedBy(url: URL, { details }: Failure): Failure {
  const status = details?.["status"];
  const how = typeof status === "number" ? ` with ${status}` : "";
  return failure("HTTP_ERROR", `${url.origin} refused ${NAME}${how}`, details);
}

function noToken(failed: Failure): A2aError {
  const message = `no token could be had: ${failed.message}`;
  return new A2aError("UNAUTHENTICATED", message, { cause: new TransportFailure({ ...failed, message }) });
}
