// Node's HTTP server with limits that a hostile client cannot wait out. Every request has a signal that is aborted when
// its client leaves or the server ends.
import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ProctorError } from "../../core/errors.ts";

export interface HttpServerOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** What it leaves unanswered when it rejects is cut. */
  handle: (incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal) => Promise<void>;
}

export interface HttpServer {
  url: string;
  /** Requests in flight are cut. */
  close(): Promise<void>;
}

export const STOPPED = new Error("the mock was stopped");
const LEFT = new Error("the caller left before the answer");

const LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  noDelay: true,
};

/** Throws CONFIG_INVALID when the address cannot be bound. */
export async function openHttpServer({ host, port, handle }: HttpServerOptions): Promise<HttpServer> {
  const underWay = new Map<Promise<void>, AbortController>();

  async function serve(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    stop: AbortController,
  ): Promise<void> {
    // A connection that breaks ends the request; it must not end the process.
    incoming.on("error", () => {});
    outgoing.on("error", () => {});
    outgoing.on("close", () => stop.abort(LEFT));
    try {
      await handle(incoming, outgoing, stop.signal);
    } catch {
      outgoing.destroy();
    }
  }

  const server = createServer(LIMITS, (incoming, outgoing) => {
    const stop = new AbortController();
    // A long stream waits for its reader and its pauses in turn.
    setMaxListeners(0, stop.signal);
    const served = serve(incoming, outgoing, stop);
    underWay.set(served, stop);
    void served.finally(() => underWay.delete(served));
  });
  await bind(server, host, port);
  // A server on a port has an address with a port.
  const bound = (server.address() as AddressInfo).port;

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    const cut = [...underWay.keys()];
    for (const stop of underWay.values()) stop.abort(STOPPED);
    // What was cut is still reported, and told to whoever waits for it.
    await Promise.allSettled(cut);
    server.closeAllConnections();
    await closed;
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: () => (closing ??= close()),
  };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays for later errors, which then change nothing and crash nothing.
    server.on("error", (cause: NodeJS.ErrnoException) => {
      const why = BIND_FAILURES[cause.code ?? ""] ?? cause.message;
      reject(new ProctorError("CONFIG_INVALID", `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

const BIND_FAILURES: Record<string, string> = {
  EADDRINUSE: "the port is in use\nstop what uses it, or give another with --port",
  EACCES: "no permission\ngive a port from 1024 on with --port",
  EADDRNOTAVAIL: "this machine has no such address\ngive another with --host",
  ENOTFOUND: "the name is not known\ngive another with --host",
};
