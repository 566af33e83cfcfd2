// The body of an answer, pulled piece by piece: a reader that stops holds the server back.
import type { ClientRequest, IncomingMessage } from "node:http";
import type { HttpTrouble } from "./trouble.ts";

export interface HttpBody {
  /** Resolves with what has arrived since, at least a byte; undefined at the end. Never rejects. One reader at a time. */
  read(): Promise<Buffer | undefined>;
  /** Why the body ended too early; undefined when it is complete. Known after the end. */
  readonly trouble: HttpTrouble | undefined;
  /** Called when no more is wanted. A connection whose rest is short and comes at once is kept for another request. */
  release(): void;
  /** Closes the connection now; a read that waits ends. */
  close(): void;
}

/** Bytes that a server may still send after the last that mattered: the end of a chunked body, some padding. */
const REST_BYTES = 64 * 1024;
const REST_MS = 100;

export function openBody(
  request: ClientRequest,
  incoming: IncomingMessage,
  troubleOf: () => HttpTrouble,
): HttpBody {
  let wake: (() => void) | undefined;
  const onChange = (): void => wake?.();
  for (const event of ["readable", "end", "error", "close"]) incoming.on(event, onChange);

  async function read(): Promise<Buffer | undefined> {
    for (;;) {
      // First what had arrived: a connection that broke afterwards does not take it back.
      const chunk = incoming.read() as Buffer | null;
      if (chunk !== null) return chunk;
      if (incoming.readableEnded || incoming.destroyed) return undefined;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  async function readRest(): Promise<void> {
    // A process that is done does not wait for a server that is not.
    incoming.socket.unref();
    const tooLate = setTimeout(() => request.destroy(), REST_MS).unref();
    let size = 0;
    for (let chunk = await read(); chunk !== undefined; chunk = await read()) {
      size += chunk.length;
      if (size > REST_BYTES) request.destroy();
    }
    clearTimeout(tooLate);
  }

  return {
    read,
    get trouble() {
      return incoming.readableEnded ? undefined : troubleOf();
    },
    release() {
      if (!incoming.readableEnded && !incoming.destroyed) void readRest();
    },
    close: () => void request.destroy(),
  };
}
