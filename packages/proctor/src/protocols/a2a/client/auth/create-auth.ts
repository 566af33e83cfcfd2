// The credentials that an agent's options name, as they are put on requests. Tokens that must be fetched are client-credentials.ts.
import type { HttpClient, TlsIdentity } from "../../../../channels/http/client.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import type { AuthOptions, TlsOptions } from "../../../../runtime/schemas/credentials.ts";
import { ANONYMOUS, type ClientAuth } from "./client-auth.ts";
import { createClientCredentials } from "./client-credentials.ts";

export interface AuthDeps {
  http: HttpClient;
  clock: Clock;
}

export function createAuth(
  { auth, tls }: { auth?: AuthOptions; tls?: TlsOptions },
  deps: AuthDeps,
): ClientAuth {
  const identity = tls && identityOf(tls);
  const shown = auth ? shownBy(auth, deps, tls?.ca) : ANONYMOUS;
  return identity ? { ...shown, tls: identity } : shown;
}

function shownBy(auth: AuthOptions, deps: AuthDeps, ca: string | undefined): ClientAuth {
  switch (auth.type) {
    case "bearer":
      return fixed(({ headers }) => (headers["authorization"] = `Bearer ${auth.token}`));
    case "basic": {
      const pair = Buffer.from(`${auth.username}:${auth.password}`).toString("base64");
      return fixed(({ headers }) => (headers["authorization"] = `Basic ${pair}`));
    }
    case "api_key":
      return fixed((request) => putKey(request, auth.in, auth.name, auth.api_key));
    case "oauth2":
      return createClientCredentials(auth, { ...deps, ...(ca !== undefined && { tls: { ca } }) });
  }
}

function putKey(
  { url, headers }: { url: URL; headers: Record<string, string> },
  place: "header" | "query" | "cookie",
  name: string,
  key: string,
): void {
  if (place === "query") url.searchParams.set(name, key);
  else if (place === "header") headers[name.toLowerCase()] = key;
  else {
    const others = headers["cookie"] === undefined ? "" : `${headers["cookie"]}; `;
    headers["cookie"] = `${others}${name}=${encodeURIComponent(key)}`;
  }
}

function fixed(put: (request: { url: URL; headers: Record<string, string> }) => void): ClientAuth {
  return { ...ANONYMOUS, apply: async (request) => put(request) };
}

function identityOf({ ca, cert, private_key: key }: TlsOptions): TlsIdentity {
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}
