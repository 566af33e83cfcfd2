// The body of a request as the stream that Node reads from the socket. The web stream of a request copies every piece, so readers of
// large bodies ask here first; a body is read one way or the other, never both.
import { Readable } from "node:stream";

const bodies = new WeakMap<Request, Readable>();

/** Called by the server that has the stream, for forms alone: keeping one costs as much as reading a small body. */
export function keepNodeBody(request: Request, body: Readable): void {
  bodies.set(request, body);
}

/** Returns null for a request without a body. */
export function nodeBody(request: Request): Readable | null {
  const kept = bodies.get(request);
  if (kept !== undefined) return kept;
  return request.body === null ? null : Readable.fromWeb(request.body);
}
