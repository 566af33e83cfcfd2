// Looks for secrets inside gzip content. What holds none is kept as it came; what does is packed again without them. Content that is
// too large to unpack is kept, and its record says that nobody looked inside.
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import type { Redactor } from "../core/redact.ts";
import { untilAborted } from "../core/unless-aborted.ts";
import type { Canary } from "./canary.ts";

export interface SearchTools {
  redactor: Redactor;
  canary: Canary | undefined;
  signal: AbortSignal;
}

export interface SearchedGzip {
  /** Packed again, without secrets; absent when there were none. */
  clean?: Uint8Array;
  /** Why nobody looked inside. */
  unsearched?: string;
}

/** More is not held in memory to be unpacked. */
export const MAX_PACKED_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
export const TOO_LARGE = `gzip of more than ${MAX_PACKED_BYTES} bytes, or of more than ${MAX_UNPACKED_BYTES} when unpacked`;
const DAMAGED = "gzip that cannot be unpacked";
/** No encoding of a canary is longer than this. */
const LONGEST_SPELLING = 1024;

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export async function searchGzip(
  packed: Uint8Array,
  where: string,
  tools: SearchTools,
): Promise<SearchedGzip> {
  try {
    if (!(await holdsSecret(packed, where, tools))) return {};
    const pieces: Uint8Array[] = [];
    const clean = Readable.from(redacted(packed, tools));
    for await (const piece of untilAborted<Uint8Array>(clean.pipe(createGzip()), tools.signal))
      pieces.push(piece);
    return { clean: Buffer.concat(pieces) };
  } catch (error) {
    tools.signal.throwIfAborted();
    return { unsearched: error instanceof TooLarge ? TOO_LARGE : DAMAGED };
  }
}

class TooLarge extends Error {}

/** One character per byte, so that binary content survives. */
async function* unpacked(packed: Uint8Array, { signal }: SearchTools): AsyncGenerator<string> {
  let sizeBytes = 0;
  const source = Readable.from([packed]).pipe(createGunzip());
  for await (const piece of untilAborted<Buffer>(source, signal)) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_UNPACKED_BYTES) throw new TooLarge();
    yield piece.toString("latin1");
  }
}

async function holdsSecret(packed: Uint8Array, where: string, tools: SearchTools): Promise<boolean> {
  const { redactor, canary } = tools;
  const stream = redactor.stream();
  let pending = "";
  let tail = "";
  for await (const text of unpacked(packed, tools)) {
    canary?.lookAtBytes(Buffer.from(tail + text, "latin1"), `${where}, unpacked`);
    tail = text.slice(-LONGEST_SPELLING);
    pending += text;
    const shown = stream.push(text);
    if (!pending.startsWith(shown)) return true;
    pending = pending.slice(shown.length);
  }
  return stream.end() !== pending;
}

async function* redacted(packed: Uint8Array, tools: SearchTools): AsyncGenerator<Buffer> {
  const stream = tools.redactor.stream();
  for await (const text of unpacked(packed, tools)) yield Buffer.from(stream.push(text), "latin1");
  yield Buffer.from(stream.end(), "latin1");
}
