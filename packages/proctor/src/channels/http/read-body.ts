// A body as a whole, up to a limit. Of a longer one only the beginning is kept, and the rest is not waited for.
import type { HttpBody } from "./body.ts";
import type { HttpTrouble } from "./trouble.ts";

export interface WholeBody {
  /** All of it; the beginning when it was too long or cut off. */
  bytes: Buffer;
  /** The bytes that came before the limit. */
  sizeBytes: number;
  overflowed: boolean;
  /** Why it ended too early. */
  trouble: HttpTrouble | undefined;
}

/** Bytes that are kept of a body that is too long. */
const HEAD_BYTES = 8 * 1024;

/** `length`: its Content-Length, which spares reading what is too long anyway. `patienceMs`: then it is left. */
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
