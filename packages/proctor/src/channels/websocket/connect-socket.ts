// Opens a WebSocket to another server. Redirects are never followed, and compression is never negotiated.
import { messageOf } from "../../core/message-of.ts";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { networkError, SocketConnectError } from "./connect-error.ts";
import { CLOSE_TIMEOUT_MS, wrapSocket, type SocketOptions, type WebSocketChannel } from "./wrap-socket.ts";

export interface ConnectOptions extends SocketOptions {
  /** The address: `ws:` or `wss:`. */
  url: string;
  /** Subprotocols to offer, best first. With none, none is expected. */
  protocols?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** Gives up connecting; an open socket is not affected. */
  signal?: AbortSignal;
  connectTimeoutMs: number;
  /** A larger message ends the socket with 1009. */
  maxMessageBytes: number;
}

/** `closeTimeout` is newer than the types of `ws`; spread, it is passed on. */
const CLOSING = { closeTimeout: CLOSE_TIMEOUT_MS };

/** Rejects with a SocketConnectError. */
export function connectSocket(options: ConnectOptions): Promise<WebSocketChannel> {
  const { protocols = [], signal, connectTimeoutMs } = options;
  return new Promise((resolve, reject) => {
    let ws: WebSocket;
    try {
      ws = open(options);
    } catch (cause) {
      const message = messageOf(cause);
      reject(new SocketConnectError("invalid", message, { cause }));
      return;
    }
    let answer: IncomingMessage | undefined;

    function settle(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      ws.off("open", opened);
      ws.off("unexpected-response", refused);
      ws.off("error", failed);
    }
    function fail(error: SocketConnectError): void {
      settle();
      // `terminate` has an error of its own to tell.
      ws.on("error", () => {});
      ws.terminate();
      reject(error);
    }
    const abort = (): void => fail(new SocketConnectError("aborted", "the connection was given up"));
    const late = (): void =>
      fail(new SocketConnectError("timeout", `no connection after ${connectTimeoutMs / 1000} s`));
    const refused = (_request: unknown, response: IncomingMessage): void => fail(statusError(response));
    const failed = (cause: Error): void =>
      fail(answer === undefined ? networkError(cause) : handshakeError(answer, protocols, cause));
    const opened = (): void => {
      settle();
      // `ws` opens after `upgrade`, and only with a socket.
      const raw = answer?.socket as Socket;
      raw.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
      resolve(wrapSocket(ws, raw, options));
    };

    const timer = setTimeout(late, connectTimeoutMs);
    ws.once("upgrade", (response) => (answer = response));
    ws.on("open", opened);
    ws.on("unexpected-response", refused);
    ws.on("error", failed);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}

/** Interval of TCP keep-alives, by which the system notices a peer that vanished, in milliseconds. */
const TCP_KEEP_ALIVE_MS = 60_000;

function open({ url, protocols = [], headers, maxMessageBytes }: ConnectOptions): WebSocket {
  const target = new URL(url);
  target.hash = "";
  return new WebSocket(target, [...protocols], {
    ...CLOSING,
    ...(headers && { headers: { ...headers } }),
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
    autoPong: false,
  });
}

function statusError({ statusCode: status = 0, headers }: IncomingMessage): SocketConnectError {
  const { location } = headers;
  if (status >= 300 && status < 400) {
    const more = { status, ...(location !== undefined && { location }) };
    return new SocketConnectError("redirect", `the answer was a redirect (${status})`, more);
  }
  return new SocketConnectError("status", `the answer was HTTP status ${status}`, { status });
}

/** The answer was 101, and `ws` did not like it. */
function handshakeError(
  { headers }: IncomingMessage,
  offered: readonly string[],
  cause: Error,
): SocketConnectError {
  const chosen = headers["sec-websocket-protocol"];
  if (chosen === undefined && offered.length > 0 && cause.message.includes("subprotocol")) {
    return new SocketConnectError("no-subprotocol", `it speaks none of ${offered.join(", ")}`, { cause });
  }
  if (chosen !== undefined && !offered.includes(chosen)) {
    return new SocketConnectError("wrong-subprotocol", "it chose a subprotocol that was not offered", {
      cause,
    });
  }
  return new SocketConnectError("handshake", `the handshake is wrong: ${cause.message}`, { cause });
}
