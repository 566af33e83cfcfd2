// One WebSocket connection: messages in and out, pings, and the closing handshake. Knows nothing of the protocol on it.
import type { Duplex } from "node:stream";
import { createOutbox, type OutboxLimits } from "../outbox.ts";
import { MAX_MESSAGE_BYTES } from "../protocol/messages.ts";
import { encodeFrame, OPCODES } from "./frames.ts";
import { createMessageReader } from "./messages.ts";

export interface Socket {
  send(text: string): void;
  /** Starts the closing handshake, and cuts the connection when the peer does not answer it. */
  close(code: number, reason: string): void;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
}

export interface SocketLimits extends OutboxLimits {
  pingMs: number;
  /** Milliseconds without any byte from the peer after a ping, until the connection is dropped. */
  silentMs: number;
  /** Milliseconds that a message may take to arrive once it has begun. */
  messageMs: number;
  closeMs: number;
}

export function openSocket(
  connection: Duplex,
  head: Buffer,
  limits: SocketLimits,
  onText: (text: string) => void,
): Socket {
  let closing = false;
  /** Number of pings since the last byte from the peer. */
  let unanswered = 0;
  const outbox = createOutbox(connection, limits);
  let late: NodeJS.Timeout | undefined;
  const closed = new Promise<void>((resolve) => connection.once("close", () => resolve()));

  const pinger = setInterval(() => {
    // A peer that still has messages to read cannot answer a ping yet; the outbox watches whether it reads.
    if (outbox.isBusy()) unanswered = 0;
    if (unanswered * limits.pingMs >= limits.silentMs) {
      // When an agent kept this process busy, an answer that has arrived is read later in this turn of the event loop.
      setImmediate(() => {
        if (unanswered > 0) connection.destroy();
      });
      return;
    }
    unanswered++;
    write(OPCODES.ping, Buffer.alloc(0));
  }, limits.pingMs);

  function write(opcode: number, payload: Buffer): void {
    if (!closing) outbox.send(encodeFrame(opcode, payload));
  }

  function close(code: number, reason: string): void {
    if (closing) return;
    const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
    payload.writeUInt16BE(code, 0);
    payload.write(reason, 2);
    write(OPCODES.close, payload);
    closing = true;
    clearInterval(pinger);
    setTimeout(() => connection.destroy(), limits.closeMs).unref();
  }

  const read = createMessageReader(MAX_MESSAGE_BYTES, {
    text(text) {
      if (closing) return;
      try {
        onText(text);
      } catch {
        close(1011, "an internal error");
      }
    },
    ping: (payload) => write(OPCODES.pong, payload),
    pong: () => undefined,
    close(code) {
      close(code === 1005 ? 1000 : code, "");
      outbox.end();
    },
    broken(code, reason) {
      close(code, reason);
      outbox.end();
    },
    pending(isPending) {
      if (isPending) late ??= setTimeout(() => close(1008, "the message takes too long"), limits.messageMs);
      else {
        clearTimeout(late);
        late = undefined;
      }
    },
  });
  if (head.length > 0) connection.unshift(head);
  connection.on("data", (chunk: Buffer) => {
    unanswered = 0;
    read(chunk);
  });
  connection.on("error", () => connection.destroy());
  connection.once("end", () => connection.end());
  connection.once("close", () => {
    closing = true;
    clearInterval(pinger);
    clearTimeout(late);
  });
  return { send: (text) => write(OPCODES.text, Buffer.from(text)), close, closed };
}
