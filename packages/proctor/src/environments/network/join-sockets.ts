// Two sockets as one connection: what comes in at one goes out at the other, either end can be closed before the other, and
// neither outlives the other. For sockets that allow a half-open connection.
import type { Socket } from "node:net";

/** Joins two sockets. A connection without data for `idleMs` milliseconds is closed, whichever side it waits for. */
export function joinSockets(left: Socket, right: Socket, idleMs: number): void {
  join(left, right, idleMs);
  join(right, left, idleMs);
}

function join(from: Socket, to: Socket, idleMs: number): void {
  from.setTimeout(idleMs, () => {
    from.destroy();
    to.destroy();
  });
  // "close" follows.
  from.on("error", () => {});
  from.once("close", () => {
    // After a proper end of both directions, the other socket closes by itself.
    if (!from.readableEnded || !to.readableEnded) to.destroy();
  });
  if (from.destroyed) to.destroy();
  else from.pipe(to);
}
