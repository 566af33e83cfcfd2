// Puts a service on HTTP: JSON-RPC, HTTP+JSON and the public card, versions 1.0 and 0.3 at the same address. The routes that describe it are
// describe-routes.ts; gRPC is served by grpc/.
import { setMaxListeners } from "node:events";
import { getPath } from "hono/utils/url";
import type { PatchLevel } from "../errors.ts";
import { A2A_VERSIONS, type A2aService, type A2aVersion } from "../service.ts";
import { CARD_PATHS, createCardServer } from "./card.ts";
import { serveJsonRpc } from "./json-rpc.ts";
import { serveRest } from "./rest.ts";
import type { HttpBinding, ServerCall, Serving, SignCard } from "./serving.ts";

export interface A2aServerOptions {
  service: A2aService;
  /** Patch level that decides the statuses and media types of answers; it never travels itself. 1.0.1 when absent. */
  patch?: PatchLevel;
  /** Versions that are served, the preferred one first; all when absent. */
  versions?: readonly A2aVersion[];
  /** Bindings that are served; both when absent. */
  bindings?: readonly HttpBinding[];
  /** Card for a request that names no version; `both` when absent: one that clients of either version can read. */
  unversionedCard?: "both" | A2aVersion;
  /** Milliseconds of silence after which a stream sends a comment; 15,000 when absent. */
  keepAliveMs?: number;
  /** Bytes of the largest request body; 10 MiB when absent. */
  bodyLimitBytes?: number;
  /** Seconds for which clients may keep a card before they ask again; 60 when absent. */
  cardMaxAgeSeconds?: number;
  /** Signs cards as they are sent; they keep the service's own signatures when absent. */
  signCard?: SignCard;
  /** Reports a failure of the service itself, of which a client only gets the trace id. */
  report?: (problem: unknown, traceId: string) => void;
}

export interface A2aServer {
  /** Answers a request at or below `basePath`. Never rejects. */
  fetch(request: Request, call: ServerCall): Promise<Response>;
  /** Answers a request for the public card, at whatever path. Never rejects. */
  card(request: Request, call: ServerCall): Promise<Response>;
  /** Ends the streams and the calls that wait; new ones end at once. */
  close(): void;
}

const KEEP_ALIVE_MS = 15_000;
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const CARD_MAX_AGE_SECONDS = 60;

export function createA2aServer(options: A2aServerOptions): A2aServer {
  const stopping = new AbortController();
  // Every call listens to it.
  setMaxListeners(0, stopping.signal);
  const { versions = A2A_VERSIONS } = options;
  const serving: Serving = {
    service: options.service,
    patch: options.patch ?? "1.0.1",
    versions,
    bindings: options.bindings ?? ["JSONRPC", "HTTP+JSON"],
    unversionedCard: unversionedCard(options.unversionedCard ?? "both", versions),
    keepAliveMs: options.keepAliveMs ?? KEEP_ALIVE_MS,
    bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    cardMaxAgeSeconds: options.cardMaxAgeSeconds ?? CARD_MAX_AGE_SECONDS,
    report: options.report ?? (() => undefined),
    stopping: stopping.signal,
    ...(options.signCard && { signCard: options.signCard }),
  };
  const serveCard = createCardServer(serving);

  return {
    async fetch(request, call) {
      const path = getPath(request).slice(call.basePath.length);
      if (CARD_PATHS.includes(path)) return serveCard(request, call);
      if (path === "" || path === "/") return serveJsonRpc(serving, request, call);
      return serveRest(serving, request, call, path);
    },
    card: serveCard,
    close: () => stopping.abort(),
  };
}

/** A server with one version always has the card of that version. */
function unversionedCard(wanted: Serving["unversionedCard"], versions: Serving["versions"]): typeof wanted {
  const [only, ...others] = versions;
  return only !== undefined && others.length === 0 ? only : wanted;
}
