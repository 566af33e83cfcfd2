// Messages on their way out. What is sent within one turn of the event loop reaches the system in one write; a sender
// of more than the system takes waits.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

export interface SocketOutbox {
  send(text: string): Promise<boolean>;
  /** Answers a ping; of several that wait, only the last, as RFC 6455, 5.5.3 allows: a flood of them costs nothing. */
  pong(data: Buffer): void;
}

/** More than a stream's own mark in every version of Node, so that `drain` is certain to follow. */
const HIGH_WATER_BYTES = 128 * 1024;

const TAKEN = Promise.resolve(true);
const CLOSED = Promise.resolve(false);

export function createSocketOutbox(ws: WebSocket, raw: Duplex): SocketOutbox {
  let corked = false;
  let draining: Promise<boolean> | undefined;
  let lastPing: Buffer | undefined;
  let ponging = false;

  function collect(): void {
    if (corked) return;
    corked = true;
    raw.cork();
    setImmediate(() => {
      corked = false;
      raw.uncork();
    });
  }

  function drained(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (open: boolean): void => {
        raw.off("drain", onDrain);
        raw.off("close", onClose);
        draining = undefined;
        // Not at once: a sender without end must let the others have a turn, however fast the peer reads.
        setImmediate(resolve, open);
      };
      const onDrain = (): void => settle(true);
      const onClose = (): void => settle(false);
      raw.on("drain", onDrain);
      raw.on("close", onClose);
    });
  }

  function pongLast(): void {
    const data = lastPing;
    lastPing = undefined;
    ponging = data !== undefined && ws.readyState === ws.OPEN;
    if (ponging) ws.pong(data, undefined, pongLast);
  }

  return {
    send(text) {
      if (ws.readyState !== ws.OPEN) return CLOSED;
      collect();
      ws.send(text);
      if (ws.bufferedAmount < HIGH_WATER_BYTES) return TAKEN;
      return (draining ??= drained());
    },
    pong(data) {
      lastPing = data;
      if (ponging) return;
      collect();
      pongLast();
    },
  };
}
