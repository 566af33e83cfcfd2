// The app on a socket: Node's HTTP server with limits that a hostile client cannot wait out, and an orderly end.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { systemClock } from "../time/system-clock.ts";
import { limitBodies } from "./limit-bodies.ts";
import { keepNodeBody } from "./node-body.ts";
import { answerUnreadable, unreadableRequest } from "./unreadable.ts";
import { createUpgrader, type AcceptSocket, type UpgradeAnswer, type Upgrader } from "./upgrade.ts";

/** The part of a response that its socket offers. */
export interface Outgoing {
  /** Cuts the connection: the only honest end for a body that fails after its headers were sent. */
  destroy(): unknown;
  /** Adds a header to whatever headers the response has. */
  setHeader?(name: string, value: string): unknown;
  /** The connection. `destroySoon` cuts it after what was written has been sent; `pause` stops reading from it. */
  socket?: { destroySoon?(): void; pause?(): unknown; remoteAddress?: string | undefined } | null;
  /** Calls back when the connection has closed. */
  once?(event: "close", listener: () => void): unknown;
}

/** Values that Node's adapter passes along with the request. */
export interface NodeBindings {
  outgoing?: Outgoing;
}

interface ListenOptions {
  app: {
    fetch(request: Request, bindings: NodeBindings): Response | Promise<Response>;
    /** Answers a request for a WebSocket; never rejects. */
    upgrade?(request: Request, peer?: string): Promise<UpgradeAnswer>;
    endStreams?(): void;
  };
  /** Accepts a WebSocket. Without it, a request for one is answered like any other. */
  acceptSocket?: AcceptSocket;
  host: string;
  /** Port to listen on; 0 for any free one. */
  port: number;
  limits?: Partial<SocketLimits>;
  /** Clock that measures the limits on bodies. */
  clock?: Clock;
  /** Names of the flags that choose another address, for the error when this one cannot be bound; `--host` and `--port` when absent. */
  flags?: { host: string; port: string };
}

export interface SocketLimits {
  /** Milliseconds within which the request's head must arrive. */
  headersTimeoutMs: number;
  /** Milliseconds for which a body may be silent: see limit-bodies.ts. */
  bodyTimeoutMs: number;
  /** Milliseconds between two checks of these limits. */
  checkIntervalMs: number;
  /** Milliseconds for which an idle connection is kept. */
  keepAliveTimeoutMs: number;
  maxHeaderBytes: number;
}

const LIMITS: SocketLimits = {
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 60_000,
  checkIntervalMs: 5_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
};

export interface Listening {
  url: string;
  port: number;
  /** Stops accepting, ends streams and sockets, lets requests in flight finish within the grace, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Number of connections that may wait to be accepted, so that a burst of readers is not turned away. The system may allow fewer. */
const BACKLOG = 4096;
const SWEEP_MS = 20;
/** Milliseconds that the service of a cut socket has to notice it. */
const SETTLE_MS = 100;

/** Starts to listen. Throws CONFIG_INVALID when the address cannot be bound. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { app, host, limits, acceptSocket, clock = systemClock } = options;
  const { headersTimeoutMs, bodyTimeoutMs, checkIntervalMs, keepAliveTimeoutMs, maxHeaderBytes } = {
    ...LIMITS,
    ...limits,
  };
  const listener = getRequestListener(
    (request, bindings) => {
      const { incoming } = bindings;
      if (!hasBody(incoming)) return app.fetch(request, bindings);
      if (isForm(incoming)) keepNodeBody(request, incoming);
      return refuseRest(bindings, app.fetch(request, bindings));
    },
    {
      hostname: "localhost",
      errorHandler: unreadableRequest,
    },
  );
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      // That would be one limit for uploads of any length.
      requestTimeout: 0,
      connectionsCheckingInterval: checkIntervalMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      // A peer that vanished without closing the connection is noticed.
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
      noDelay: true,
    },
    // The listener answers every failure itself.
    (incoming, outgoing) => void listener(incoming, outgoing),
  );
  answerUnreadable(server);
  limitBodies(server, { timeoutMs: bodyTimeoutMs, checkIntervalMs, clock });
  let upgrader: Upgrader | undefined;
  if (acceptSocket !== undefined && app.upgrade !== undefined) {
    upgrader = createUpgrader({
      upgrade: app.upgrade.bind(app),
      accept: acceptSocket,
      answer: (incoming, outgoing) => void listener(incoming, outgoing),
      unreadable: unreadableRequest,
    });
    server.on("upgrade", upgrader.handle);
  }
  await bind(server, options);
  // A server on a port has an address with a port.
  const bound = (server.address() as AddressInfo).port;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: (graceMs) => (closing ??= close(server, upgrader, graceMs, () => app.endStreams?.())),
  };
}

function hasBody({ method, headers }: HttpBindings["incoming"] | Http2Bindings["incoming"]): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/** Returns whether the body is a form: forms carry files. */
function isForm({ headers }: HttpBindings["incoming"] | Http2Bindings["incoming"]): boolean {
  return headers["content-type"]?.startsWith("multipart/") === true;
}

/** An error that is answered before its request was read to the end closes the connection: the rest is not waited for. */
function refuseRest(
  { incoming, outgoing }: HttpBindings | Http2Bindings,
  answer: Response | Promise<Response>,
): Response | Promise<Response> {
  const check = (response: Response): Response => {
    const isCut = response.status >= 400 && !incoming.complete && !outgoing.headersSent;
    if (isCut) outgoing.setHeader("connection", "close");
    return response;
  };
  return answer instanceof Promise ? answer.then(check) : check(answer);
}

function bind(
  server: Server,
  { host, port, flags = { host: "--host", port: "--port" } }: ListenOptions,
): Promise<void> {
  const reasons: Record<string, string> = {
    EADDRINUSE: `the port is in use\n   stop what uses it, or choose another with ${flags.port}; 0 takes any free one`,
    EACCES: `no permission\n   use a port from 1024 on: ${flags.port}`,
    EADDRNOTAVAIL: `this machine has no such address\n   choose another with ${flags.host}`,
    ENOTFOUND: `the name is not known\n   choose another with ${flags.host}`,
  };
  return new Promise((resolve, reject) => {
    // The listener stays for later errors, which then neither change nor crash anything.
    server.on("error", (cause: NodeJS.ErrnoException) => {
      const why = reasons[cause.code ?? ""] ?? cause.message;
      reject(new ProctorError("CONFIG_INVALID", `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}

async function close(
  server: Server,
  upgrader: Upgrader | undefined,
  graceMs: number,
  endStreams: () => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  endStreams();
  const served = upgrader?.close();
  // A kept-alive connection becomes idle when its last answer has been sent: from then on it only delays the end.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  let cut: NodeJS.Timeout | undefined;
  const graceOver = new Promise<void>((resolve) => {
    cut = setTimeout(() => {
      server.closeAllConnections();
      upgrader?.cut();
      setTimeout(resolve, SETTLE_MS);
    }, graceMs);
  });
  server.closeIdleConnections();
  await closed;
  // The service of a socket may have something to finish after its end.
  await Promise.race([served, graceOver]);
  clearInterval(sweep);
  clearTimeout(cut);
}
