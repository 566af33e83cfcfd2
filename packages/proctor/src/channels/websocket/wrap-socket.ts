// A `ws` socket as the MessageSocket that all other code uses: whole text messages, back-pressure both ways, one end.
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { MessageSocket, SocketClose } from "../../core/ports/message-socket.ts";
import { startKeepAlive } from "./keep-alive.ts";
import { createSocketInbox } from "./socket-inbox.ts";
import { createSocketOutbox } from "./socket-outbox.ts";

export interface SocketEnd extends SocketClose {
  /** The rule that the peer broke, when that is why this side hung up. */
  fault?: string;
}

export interface WebSocketChannel extends MessageSocket {
  readonly closed: Promise<SocketEnd>;
  /** Asks the peer for a sign of life; false when none comes in time. */
  answers(withinMs: number): Promise<boolean>;
  /** Lets the connection keep the process running, as it does at first; `unref` undoes it. */
  ref(): void;
  unref(): void;
}

export interface SocketOptions {
  /** Interval at which a silent peer is pinged, in milliseconds; never when absent. */
  keepAliveMs?: number;
}

/** Milliseconds that a peer may take to answer this side's close. */
export const CLOSE_TIMEOUT_MS = 2000;
/** RFC 6455, 5.5: a control frame holds 125 bytes, two of them the code. */
const MAX_REASON_BYTES = 123;

const FAULTS: Record<string, number> = {
  WS_ERR_INVALID_UTF8: 1007,
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 1009,
  WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH: 1009,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: 1008,
};

export function wrapSocket(ws: WebSocket, raw: Socket, options: SocketOptions): WebSocketChannel {
  const inbox = createSocketInbox({ pause: () => ws.pause(), resume: () => ws.resume() });
  const outbox = createSocketOutbox(ws, raw);
  const stopKeepAlive =
    options.keepAliveMs === undefined ? undefined : startKeepAlive(ws, raw, options.keepAliveMs);
  let hungUp = false;
  let fault: SocketEnd | undefined;

  function close(code: number, reason: string): void {
    if (hungUp) return;
    hungUp = true;
    ws.close(code, shorten(reason));
    // The peer's goodbye is behind whatever it still sends, which nobody wants any more.
    ws.resume();
  }

  ws.on("message", (data: Buffer, isBinary) => {
    if (hungUp) return;
    if (!isBinary) return inbox.put(data.toString());
    const reason = "binary frames are not understood";
    fault = { code: 1003, reason, fault: "it sent a binary frame" };
    close(1003, reason);
  });
  ws.on("ping", (data) => outbox.pong(data));
  // Comes only for frames that break the rules: `ws` has closed the socket already. A broken connection is just a close.
  ws.on("error", (error: Error & { code?: string }) => {
    hungUp = true;
    fault ??= { code: FAULTS[error.code ?? ""] ?? 1002, reason: "", fault: error.message };
  });
  const closed = new Promise<SocketEnd>((resolve) => {
    ws.on("close", (code, reason) => {
      stopKeepAlive?.();
      inbox.end();
      resolve(fault ?? { code, reason: reason.toString() });
    });
  });

  return {
    protocol: ws.protocol,
    messages: inbox.messages,
    send: (text) => outbox.send(text),
    close,
    closed,
    answers: (withinMs) => answers(ws, withinMs),
    ref: () => void raw.ref(),
    unref: () => void raw.unref(),
  };
}

function answers(ws: WebSocket, withinMs: number): Promise<boolean> {
  if (ws.readyState !== ws.OPEN) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (answered: boolean): void => {
      clearTimeout(timer);
      ws.off("pong", onPong);
      ws.off("close", onClose);
      resolve(answered && ws.readyState === ws.OPEN);
    };
    const onPong = (): void => settle(true);
    const onClose = (): void => settle(false);
    const timer = setTimeout(onClose, withinMs);
    ws.on("pong", onPong);
    ws.on("close", onClose);
    ws.ping();
  });
}

/** The reason, cut between characters to what a frame holds. */
function shorten(reason: string): string {
  if (Buffer.byteLength(reason) <= MAX_REASON_BYTES) return reason;
  let text = "";
  let size = 0;
  for (const character of reason) {
    size += Buffer.byteLength(character);
    if (size > MAX_REASON_BYTES) break;
    text += character;
  }
  return text;
}
