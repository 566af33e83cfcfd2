// A gRPC server on a port of its own: HTTP/2 in the clear (TLS is for a proxy before it), with the standard health service.
import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Caller } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import { createHealth, HEALTH_SERVICE } from "./health.ts";
import { createCallServer } from "./serve-call.ts";
import { trackSessions } from "./sessions.ts";

export interface GrpcListenOptions {
  host: string;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  routes: readonly ((router: ConnectRouter) => void)[];
  /** Throws a ProctorError when the caller may not. `open` is true for the health service, which says nothing secret. */
  authorize: (request: Request, open: boolean) => Caller | void;
  /** Limit of a message in bytes; 10 MB when absent. */
  maxMessageBytes?: number;
  /** Time after which a request that has not arrived whole is given up, in milliseconds; 30 s when absent. */
  requestTimeoutMs?: number;
  /** Interval of pings to the other end, in milliseconds; 15 s when absent. Two without an answer end the connection. */
  keepAliveMs?: number;
  /** Called with bugs of ours. Mistakes of callers are answered, not reported. */
  onError: (problem: unknown) => void;
}

export interface GrpcListening {
  port: number;
  /** `grpc://host:port`, as an agent's address has it. */
  url: string;
  /** Says NOT_SERVING, takes no more calls, gives running calls `graceMs` to end, then cuts them. */
  close(graceMs: number): Promise<void>;
}

const DEFAULTS = { maxMessageBytes: 10 * 1024 * 1024, requestTimeoutMs: 30_000, keepAliveMs: 15_000 };

/** Limits of one client: concurrent calls, size of headers, and bytes that it may send before they are read. */
const SETTINGS = {
  enablePush: false,
  maxConcurrentStreams: 1000,
  maxHeaderListSize: 32 * 1024,
  initialWindowSize: 256 * 1024,
};
const MAX_CONNECTIONS = 1000;

export async function listenGrpc(options: GrpcListenOptions): Promise<GrpcListening> {
  const { host, routes, authorize, onError } = options;
  const health = createHealth(() => calls.services);
  const calls = createCallServer({
    ...DEFAULTS,
    ...options,
    register: (router) => {
      for (const register of [...routes, health.register]) register(router);
    },
    authorize: (request, service) => authorize(request, service === HEALTH_SERVICE),
  });
  const server = createServer({ settings: SETTINGS }, calls.handle);
  server.maxConnections = MAX_CONNECTIONS;
  const sessions = trackSessions(server, options.keepAliveMs ?? DEFAULTS.keepAliveMs);
  server.listen({ host, port: options.port });
  try {
    await once(server, "listening");
  } catch (cause) {
    throw unavailable(host, options.port, cause);
  }
  server.on("error", onError);
  const { port, address, family } = server.address() as AddressInfo;
  return {
    port,
    url: `grpc://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    close(graceMs) {
      health.stop();
      return sessions.close(graceMs);
    },
  };
}

function unavailable(host: string, port: number, cause: unknown): ProctorError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  const next =
    reason === "EADDRINUSE"
      ? "another program has this port; give another one"
      : "choose another host or port";
  return new ProctorError(
    "CONFIG_INVALID",
    `cannot listen for gRPC on ${host}:${port} (${reason})\n${next}`,
    { cause },
  );
}
