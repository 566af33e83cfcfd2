// Who may use the hub (invariant 7, closed by default). A closed hub: every client that holds a token. An open one: only this machine, and no
// web page that talks a browser on this machine into asking (cross-site requests, DNS rebinding). origins.ts says which pages may; the
// authority says whose a token is, and what it allows.
import { hash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { NOBODY, OPERATOR, type Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { Authority } from "../core/ports/tokens.ts";
import { isLoopback } from "../runtime/addresses/is-loopback.ts";
import { authorityOf, createOrigins, isPreflight, type Origins } from "./origins.ts";

export interface AuthPolicy {
  /** Returns the caller. Throws UNAUTHORIZED, FORBIDDEN or RATE_LIMITED. `open` routes need no token. `address` is the peer's. */
  check(request: Request, open: boolean, address?: string): Caller | Promise<Caller>;
  /** Throws FORBIDDEN unless the request comes from where it may: for servers that ask for no token. */
  checkPlace(request: Request): void;
  /** Aborts when the caller's token stops counting; undefined for one that cannot. */
  ended?(caller: Caller): AbortSignal | undefined;
  /** Headers for answers, so that an allowed web page may read them. */
  headersFor: Origins["headersFor"];
}

export interface AuthOptions {
  /** Tokens of the hub's operator, which may do everything. */
  tokens: readonly string[];
  /** Knows all other tokens, and whether the hub is closed; without it, `tokens` close the hub. */
  authority?: Pick<Authority, "closed" | "identify" | "ended">;
  /** Address that the server is bound to. */
  host: string;
  /** Origins of web pages that may use the hub as programs do; none when absent. */
  allowedOrigins?: readonly string[];
}

/** Prefix of every token that the hub issues. */
const OWN_TOKEN = "hub_";

export function createAuth({ tokens, authority, host, allowedOrigins = [] }: AuthOptions): AuthPolicy {
  const origins = createOrigins(allowedOrigins);
  const digests = tokens.filter(isToken).map(digest);
  const isClosed = (): boolean => (authority ? authority.closed() : digests.length > 0);
  const allowedHosts = new Set([host.toLowerCase(), bracketed(host.toLowerCase())]);

  function checkHost(request: Request): void {
    const name = hostName(authorityOf(request));
    if (isLoopback(name) || allowedHosts.has(name)) return;
    throw new ProctorError(
      "FORBIDDEN",
      `this hub has no token and does not answer to the name "${name}"\nask for it as localhost, or start it with a token`,
    );
  }

  function identify(given: string, closed: boolean, address: string | undefined): Caller | Promise<Caller> {
    const actual = digest(given);
    // Every token is compared, so that the time taken says nothing about which one was close.
    const matches = digests.filter((expected) => timingSafeEqual(expected, actual));
    if (matches.length > 0) return OPERATOR;
    // Clients of an open hub may send what they like, as long as it does not claim to be a token of ours.
    if (!closed && !given.startsWith(OWN_TOKEN)) return OPERATOR;
    if (authority) return authority.identify(given, address);
    throw new ProctorError("UNAUTHORIZED", "the token is not valid for this hub");
  }

  function checkPlace(request: Request, closed = isClosed()): void {
    if (!closed) checkHost(request);
    if (!closed || isPreflight(request) || !isSafe(request.method)) origins.check(request);
  }

  return {
    checkPlace: (request) => checkPlace(request),
    check(request, open, address) {
      const closed = isClosed();
      checkPlace(request, closed);
      const asked = isPreflight(request);
      // A browser asks before it sends the token.
      if (open || asked) return closed ? NOBODY : OPERATOR;
      const given = bearerToken(request) ?? streamToken(request);
      if (given !== undefined) return identify(given, closed, address);
      if (!closed) return OPERATOR;
      throw new ProctorError(
        "UNAUTHORIZED",
        "this hub needs a token\nsend it as Authorization: Bearer <token>",
      );
    },
    ended: (caller) => authority?.ended(caller),
    headersFor: origins.headersFor,
  };
}

/** Throws UNSAFE_BIND: without a token, every client that reaches the port could run programs on this machine. */
export function assertSafeBind(host: string, closed: boolean): void {
  if (closed || isLoopback(host.toLowerCase())) return;
  throw new ProctorError(
    "UNSAFE_BIND",
    `refusing to listen on ${host} without a token: anybody who reaches this port could run programs on this machine\n` +
      "listen on 127.0.0.1, create a token with `proctor token create`, or set PROCTOR_TOKEN to a long random text",
  );
}

function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function hostName(authority: string): string {
  return authority.replace(/:\d*$/, "");
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function bearerToken(request: Request): string | undefined {
  const header = request.headers.get("authorization");
  return header === null ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
}

/** A browser's EventSource cannot send headers, so a stream may carry its token in the query. Nothing else may. */
function streamToken(request: Request): string | undefined {
  if (request.method !== "GET" || !request.headers.get("accept")?.includes("text/event-stream"))
    return undefined;
  return new URL(request.url).searchParams.get("access_token") ?? undefined;
}

/** False for an empty text, which is no token. */
function isToken(token: string): boolean {
  return token !== "";
}

/** The digest is text in a pooled buffer: allocating one outside the heap for each request costs more than the hash. */
function digest(token: string): Buffer {
  return Buffer.from(hash("sha256", token, "hex"), "latin1");
}
