// Which web pages may use the hub: the one place that judges an `Origin`, for HTTP and WebSockets alike, and that tells browsers
// the verdict (CORS). No cookie is ever involved: credentials are never allowed, so a page can only send what it was given.
import { ProctorError } from "../core/errors.ts";

export interface Origins {
  /** Throws FORBIDDEN for a page of another site that is not allowed. */
  check(request: Request): void;
  /** Headers for every answer to this request, so that an allowed page may read it; undefined where no page is allowed. */
  headersFor: (request: Request) => Readonly<Record<string, string>> | undefined;
}

/** Allows every origin. */
const ANY_ORIGIN = "*";

/** Seconds for which a browser may remember the answer to a preflight. Chromium keeps none for longer than two hours. */
const PREFLIGHT_SECONDS = 7200;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

/** `allowed` are origins as browsers write them, or `*`. */
export function createOrigins(allowed: readonly string[]): Origins {
  const known = new Set(allowed);
  const any = known.has(ANY_ORIGIN);
  const varying = { vary: "Origin" };
  const isAllowed = (origin: string): boolean => any || known.has(origin);
  return {
    check(request) {
      const origin = request.headers.get("origin");
      if (origin === null || isAllowed(origin) || isSameSite(origin, request)) return;
      throw new ProctorError(
        "FORBIDDEN",
        "the request came from a page of another site\nname its origin in allowed_origins to let it in",
      );
    },
    headersFor(request) {
      if (known.size === 0) return undefined;
      if (any) return { "access-control-allow-origin": ANY_ORIGIN, "access-control-expose-headers": "*" };
      const origin = request.headers.get("origin");
      // Caches must not give one origin's answer to another, nor one without these headers to any of them.
      if (origin === null || !known.has(origin)) return varying;
      return {
        ...varying,
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "*",
      };
    },
  };
}

/** Browsers ask this before a request that a form could not send; it carries no token. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** Returns the headers that answer the preflight of an allowed page. Its token is checked with the request itself. */
export function preflightHeaders({ headers }: Request): Record<string, string> {
  const wanted = headers.get("access-control-request-headers");
  return {
    "access-control-allow-methods": METHODS,
    ...(wanted !== null && { "access-control-allow-headers": wanted }),
    "access-control-max-age": String(PREFLIGHT_SECONDS),
    vary: "Origin, Access-Control-Request-Headers",
  };
}

/** Throws CONFIG_INVALID: on a hub that asks for no token, `*` would let every web page run programs on this machine. */
export function assertSafeOrigins(allowed: readonly string[], closed: boolean): void {
  if (!allowed.includes(ANY_ORIGIN) || closed) return;
  throw new ProctorError(
    "CONFIG_INVALID",
    "allowed_origins  * without a token would let every web page run programs on this machine\n" +
      "name the origins, such as http://localhost:5173, or set PROCTOR_TOKEN to a long random text",
  );
}

/** Returns the authority that a request was sent to, in lower case. */
export function authorityOf(request: Request): string {
  return (request.headers.get("host") ?? new URL(request.url).host).toLowerCase();
}

function isSameSite(origin: string, request: Request): boolean {
  return URL.canParse(origin) && new URL(origin).host === authorityOf(request);
}
