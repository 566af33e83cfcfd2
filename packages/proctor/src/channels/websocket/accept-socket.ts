// Takes a WebSocket that a client of our HTTP server asked for. Who may ask, and for what, was decided before.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { CLOSE_TIMEOUT_MS, wrapSocket, type SocketOptions, type WebSocketChannel } from "./wrap-socket.ts";

export interface AcceptOptions extends SocketOptions {
  request: IncomingMessage;
  socket: Duplex;
  /** Bytes that already came after the request. */
  head: Buffer;
  /** The subprotocol to agree on, one of those offered; undefined for none. */
  protocol: string | undefined;
  /** Headers of the answer, in addition to those of the handshake. */
  headers?: Readonly<Record<string, string>>;
  /** A larger message ends the socket with 1009. */
  maxMessageBytes: number;
}

/** `closeTimeout` is newer than the types of `ws`; spread, it is passed on. */
const CLOSING = { closeTimeout: CLOSE_TIMEOUT_MS };

/** Undefined when the handshake is malformed or the client has gone: the socket was answered and closed. */
export function acceptSocket(options: AcceptOptions): WebSocketChannel | undefined {
  const { request, socket, head, protocol, headers = {}, maxMessageBytes } = options;
  const server = new WebSocketServer({
    ...CLOSING,
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: maxMessageBytes,
    handleProtocols: () => protocol ?? false,
  });
  server.on("headers", (lines) => {
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  });
  let accepted: WebSocketChannel | undefined;
  server.handleUpgrade(request, socket, head, (ws) => {
    // Node's HTTP servers upgrade network sockets.
    accepted = wrapSocket(ws, socket as Socket, options);
  });
  return accepted;
}
