// Posts and gets over HTTP/1.1. Connections are kept per origin and used again; redirects are never followed; nothing is
// decompressed. What status, headers and body mean is left to others.
import { Agent as PlainAgent } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { ConnectGuard } from "../../runtime/addresses/connect-guard.ts";
import { NOT_PUBLIC } from "../../runtime/addresses/guarded-lookup.ts";
import { exchange, type Exchange, type ExchangeOptions } from "./exchange.ts";

export interface HttpClient {
  /** Resolves with the head of the answer, and never rejects. An abort closes the connection, at any time. */
  post(message: HttpPost, signal: AbortSignal): Promise<Exchange>;
  get(message: HttpGet, signal: AbortSignal): Promise<Exchange>;
}

interface HttpRequest {
  url: URL;
  headers: Record<string, string>;
  /** Identity and trusted certificates of this connection; the client's own `ca` when absent. */
  tls?: TlsIdentity;
}

/** Certificates and keys, as PEM. */
export interface TlsIdentity {
  /** Certificates to trust instead of the well-known ones. */
  ca?: string;
  /** Our certificate, for servers that ask for one, and its key. */
  cert?: string;
  key?: string;
}

export interface HttpGet extends HttpRequest {
  /** HTTP method; GET when absent. */
  method?: "GET" | "DELETE";
}

export interface HttpPost extends HttpRequest {
  content: string | Uint8Array;
  /** HTTP method; POST when absent. */
  method?: "POST" | "PUT" | "PATCH";
  /** Whether the request is never sent again, not even where the connection looks as if it had been dead before. */
  once?: boolean;
}

export interface HttpClientOptions {
  /** Certificates to trust instead of the well-known ones, as PEM. */
  ca?: string;
  connectTimeoutMs?: number;
  /** Says which hosts may be connected to, and how their names are resolved; all of them when absent. */
  guard?: ConnectGuard;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 64 * 1024;

/** Idle connections end before the five seconds after which common servers end them, so that few go stale. */
const IDLE_MS = 4000;
/** Node lets the process end while connections are idle. */
const POOL = {
  keepAlive: true,
  timeout: IDLE_MS,
  maxFreeSockets: 64,
  /** Connections per origin. A request beyond them waits for its turn; limits on runs keep far below it. */
  maxSockets: 1024,
  /** A peer that vanished without a word is noticed. */
  keepAliveMsecs: 60_000,
};

export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { ca, connectTimeoutMs = CONNECT_TIMEOUT_MS, guard } = options;
  const plain = new PlainAgent(POOL);
  const secure = new SecureAgent(POOL);

  function describe({ url, headers, tls, ...message }: HttpGet | HttpPost): ExchangeOptions {
    const { content, method } = { content: undefined, ...message };
    const isSecure = url.protocol === "https:";
    return {
      secure: isSecure,
      agent: isSecure ? secure : plain,
      method: method ?? (content === undefined ? "GET" : "POST"),
      // Node wants IPv6 addresses without their brackets.
      hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      ...(url.port !== "" && { port: Number(url.port) }),
      path: `${url.pathname}${url.search}`,
      headers,
      ...(content !== undefined && { content }),
      maxHeaderSize: MAX_HEADER_BYTES,
      connectTimeoutMs,
      ...(ca !== undefined && { ca }),
      // The pool keeps connections of other identities apart.
      ...tls,
    };
  }

  async function send(message: HttpGet | HttpPost, signal: AbortSignal): Promise<Exchange> {
    const held = guard?.(message.url);
    if (held && "refused" in held) {
      const trouble = { kind: "unreachable", code: NOT_PUBLIC, message: held.refused } as const;
      return { kind: "failed", trouble, stale: false };
    }
    const described = { ...describe(message), ...held };
    const first = await exchange(described, signal);
    const isOnce = "once" in message && message.once;
    if (first.kind === "answered" || !first.stale || isOnce) return first;
    // The only repetition there is. A kept connection that is dead at once was closed by the server while it was idle, so
    // nobody has read the request. Once, and on a connection of its own: the pool may hold more of the kind.
    return exchange({ ...described, agent: false }, signal);
  }

  return { post: send, get: send };
}
