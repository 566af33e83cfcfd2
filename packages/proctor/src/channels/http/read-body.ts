// A body as a whole, up to a limit. Of a longer one only the beginning is kept, and the rest is not waited for.
import type { HttpBody } from "./body.ts";
import type { HttpTrouble } from "./trouble.ts";

export interface WholeBody {
  /** The whole body; the beginning when it was too long or cut off. */
  bytes: Buffer;
  /** The bytes that came before the limit. */
  sizeBytes: number;
  overflowed: boolean;
  /** Why the body ended too early; undefined when it is complete. */
  trouble: HttpTrouble | undefined;
}

/** Bytes that are kept of a body that is too long. */
const HEAD_BYTES = 8 * 1024;

/** `length` is the Content-Length: a body that is too long by it is not read. After `patienceMs` the body is closed. */
export async function readBody(
  body: HttpBody,
  limitBytes: number,
  { length, patienceMs }: { length?: string | undefined; patienceMs?: number } = {},
): Promise<WholeBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  const declared = Number(length);
  let overflowed = declared > limitBytes;
  const hurry = patienceMs === undefined ? undefined : setTimeout(() => body.close(), patienceMs);
  while (!overflowed) {
    const chunk = await body.read();
    if (chunk === undefined) break;
    size += chunk.length;
    chunks.push(chunk);
    overflowed = size > limitBytes;
  }
  clearTimeout(hurry);
  if (overflowed) body.close();
  return {
    bytes: overflowed ? Buffer.concat(chunks).subarray(0, HEAD_BYTES) : Buffer.concat(chunks),
    sizeBytes: overflowed && declared > size ? declared : size,
    overflowed,
    trouble: overflowed ? undefined : body.trouble,
  };
}
