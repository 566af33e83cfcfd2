// A gRPC server on a port of its own: HTTP/2 in the clear (TLS is for a proxy before it), with the standard health service.
import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import type { ConnectRouter } from "@connectrpc/connect";
import { ProctorError } from "../../core/errors.ts";
import { createHealth, HEALTH_SERVICE } from "./health.ts";
import { createCallServer } from "./serve-call.ts";
import { trackSessions } from "./sessions.ts";

export interface GrpcListenOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  routes: readonly ((router: ConnectRouter) => void)[];
  /** Throws a ProctorError when the caller may not. `open`: the health service, which says nothing that is secret. */
  authorize: (request: Request, open: boolean) => void;
  /** 10 MB unless said otherwise. */
  maxMessageBytes?: number;
  /** A request that has not arrived whole by then is given up: 30 s unless said otherwise. */
  requestTimeoutMs?: number;
  /** How often the other end is asked whether it is there; two silences end the connection. 15 s unless said otherwise. */
  keepAliveMs?: number;
  /** Bugs. What callers do wrong is answered, not reported. */
  onError: (problem: unknown) => void;
}

export interface GrpcListening {
  port: number;
  /** `grpc://host:port`, as an agent's address has it. */
  url: string;
  /** Says NOT_SERVING, takes no more calls, lets those that run end for `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>;
}

const DEFAULTS = { maxMessageBytes: 10 * 1024 * 1024, requestTimeoutMs: 30_000, keepAliveMs: 15_000 };

/** What one client may take: calls at once, headers, and how much it may send before it is read. */
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
