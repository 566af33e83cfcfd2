// Looks for secrets inside gzip content. Content without secrets is kept unchanged; other content is packed again without them, or not kept at
// all. Content that is too large to unpack, or damaged before a secret was found, is kept, and its record says that it was not searched.
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Redactor } from "../core/redact.ts";
import { untilAborted } from "../core/unless-aborted.ts";
import { NotKept } from "./artifact-budget.ts";
import { LONGEST_SPELLING, type Canary } from "./canary.ts";

interface SearchDeps {
  redactor: Redactor;
  canary: Canary | undefined;
  signal: AbortSignal;
}

interface SearchedGzip {
  /** The content packed again without secrets; absent when there were none. */
  clean?: Uint8Array;
  /** Why the content was not searched. */
  unsearched?: string;
}

/** Bytes of the largest content that is unpacked, because it is held in memory for that. */
export const MAX_PACKED_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
export const TOO_LARGE = `gzip of more than ${MAX_PACKED_BYTES} bytes, or of more than ${MAX_UNPACKED_BYTES} when unpacked`;
const DAMAGED = "gzip that cannot be unpacked";

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Throws NotKept where there is a secret that cannot be replaced. */
export async function searchGzip(packed: Uint8Array, where: string, deps: SearchDeps): Promise<SearchedGzip> {
  try {
    if (!(await holdsSecret(packed, where, deps))) return {};
  } catch (error) {
    deps.signal.throwIfAborted();
    return { unsearched: error instanceof TooLarge ? TOO_LARGE : DAMAGED };
  }
  return { clean: await packAgain(packed, deps) };
}

async function packAgain(packed: Uint8Array, deps: SearchDeps): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  try {
    await pipeline(
      redacted(packed, deps),
      createGzip(),
      async (cleaned: AsyncIterable<Uint8Array>) => {
        for await (const piece of cleaned) pieces.push(piece);
      },
      { signal: deps.signal },
    );
  } catch (cause) {
    deps.signal.throwIfAborted();
    const why = cause instanceof TooLarge ? TOO_LARGE : DAMAGED;
    throw new NotKept(`it holds a secret that cannot be taken out: ${why}`, {
      sizeBytes: packed.length,
      cause,
    });
  }
  return Buffer.concat(pieces);
}

class TooLarge extends Error {}

/** Yields one character per byte, so that binary content survives. */
async function* unpacked(packed: Uint8Array, { signal }: SearchDeps): AsyncGenerator<string> {
  let sizeBytes = 0;
  const source = Readable.from([packed]).pipe(createGunzip());
  for await (const piece of untilAborted<Buffer>(source, signal)) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_UNPACKED_BYTES) throw new TooLarge();
    yield piece.toString("latin1");
  }
}

async function holdsSecret(packed: Uint8Array, where: string, deps: SearchDeps): Promise<boolean> {
  const { redactor, canary } = deps;
  const stream = redactor.stream();
  let pending = "";
  let tail = "";
  for await (const text of unpacked(packed, deps)) {
    canary?.lookAtBytes(Buffer.from(tail + text, "latin1"), `${where}, unpacked`);
    tail = text.slice(-LONGEST_SPELLING);
    pending += text;
    const shown = stream.push(text);
    if (!pending.startsWith(shown)) return true;
    pending = pending.slice(shown.length);
  }
  return stream.end() !== pending;
}

async function* redacted(packed: Uint8Array, deps: SearchDeps): AsyncGenerator<Buffer> {
  const stream = deps.redactor.stream();
  for await (const text of unpacked(packed, deps)) yield Buffer.from(stream.push(text), "latin1");
  yield Buffer.from(stream.end(), "latin1");
}
