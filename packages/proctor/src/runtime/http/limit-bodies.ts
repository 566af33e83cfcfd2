// Cuts requests whose body stops arriving. What counts is silence, not size: a long upload over a slow line takes as long as it takes, and
// a client that drips bytes to hold a connection is cut. Node's own limit is one for the whole request.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../core/ports/clock.ts";

export interface BodyLimits {
  /** Milliseconds for which a body may be silent, and within which it must arrive unless it is faster than a drip. */
  timeoutMs: number;
  checkIntervalMs: number;
  clock: Clock;
}

/** Bytes per second below which a body is a drip: it has `timeoutMs` in all. */
const DRIP_BYTES_PER_SECOND = 1024;

interface Pending {
  incoming: IncomingMessage;
  /** When the body began, in milliseconds; later by as long as this process did not read it. */
  sinceMs: number;
  /** When bytes last arrived, and how many the connection had brought by then. */
  heardAtMs: number;
  bytes: number;
  bytesBefore: number;
  checkedAtMs: number;
}

export function limitBodies(server: Server, { timeoutMs, checkIntervalMs, clock }: BodyLimits): void {
  const pending = new Map<Socket, Pending>();
  let cancel = (): void => undefined;

  function isTooSlow(socket: Socket, body: Pending): boolean {
    const now = clock.now();
    const { bytesRead } = socket;
    // Bytes that arrived and wait here are not a silence of the client.
    const waitsForUs = body.incoming.readableLength > 0;
    if (waitsForUs) body.sinceMs += now - body.checkedAtMs;
    if (waitsForUs || bytesRead > body.bytes) body.heardAtMs = now;
    body.bytes = bytesRead;
    body.checkedAtMs = now;
    const allowedMs = timeoutMs + ((bytesRead - body.bytesBefore) / DRIP_BYTES_PER_SECOND) * 1000;
    return now - body.heardAtMs >= timeoutMs || now - body.sinceMs >= allowedMs;
  }

  function check(): void {
    for (const [socket, body] of pending) {
      if (body.incoming.complete || socket.destroyed) pending.delete(socket);
      else if (isTooSlow(socket, body)) {
        pending.delete(socket);
        // The same error that Node reports for a late request.
        const late = Object.assign(new Error("the body is late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
        server.emit("clientError", late, socket);
        socket.destroySoon();
      }
    }
    cancel = clock.after(checkIntervalMs, check);
  }

  server.on("connection", (socket: Socket) => socket.once("close", () => pending.delete(socket)));
  server.on("request", (incoming: IncomingMessage) => {
    const { socket, headers } = incoming;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) {
      pending.delete(socket);
      return;
    }
    const now = clock.now();
    const { bytesRead: bytes } = socket;
    pending.set(socket, {
      incoming,
      sinceMs: now,
      heardAtMs: now,
      checkedAtMs: now,
      bytes,
      bytesBefore: bytes,
    });
  });
  server.once("listening", () => (cancel = clock.after(checkIntervalMs, check)));
  server.once("close", () => cancel());
}
