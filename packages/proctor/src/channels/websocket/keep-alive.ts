// Asks a silent peer whether it is still there, and drops one that does not answer. Any byte is an answer: a pong may be
// stuck behind a message that is still coming in.
import type { Socket } from "node:net";
import type { WebSocket } from "ws";

const MAX_UNANSWERED = 2;

/** Starts the pings; returns a function that stops them. */
export function startKeepAlive(ws: WebSocket, raw: Socket, everyMs: number): () => void {
  let unanswered = 0;
  let asked = false;
  let read = raw.bytesRead;
  let written = writtenBytes(raw);
  let backlog = false;

  function check(): void {
    const heard = raw.bytesRead !== read;
    // A slow reader finds our ping behind what it has not read yet. As long as that shrinks, it is there.
    const reads = backlog && writtenBytes(raw) !== written;
    // While we do not read, its answers are not seen.
    unanswered = asked && !heard && !reads && !ws.isPaused ? unanswered + 1 : 0;
    read = raw.bytesRead;
    written = writtenBytes(raw);
    backlog = raw.writableLength > 0;
    if (unanswered >= MAX_UNANSWERED) {
      ws.terminate();
      return;
    }
    asked = true;
    if (ws.readyState === ws.OPEN && !backlog) ws.ping();
  }

  const timer = setInterval(check, everyMs);
  return () => clearInterval(timer);
}

/** Bytes that the system took; `bytesWritten` also counts those that wait for it. */
function writtenBytes(raw: Socket): number {
  return raw.bytesWritten - raw.writableLength;
}
