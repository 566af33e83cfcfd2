// Reads a body piece by piece, no further than a limit, and cancels it when its reader stops.

export class TooLarge extends Error {}

/** Throws TooLarge, the body's own error, or the signal's reason. Leaving the loop early cancels the body. */
export async function* limitedBytes(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    let size = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      const room = limitBytes - size;
      size += value.byteLength;
      if (size <= limitBytes) yield value;
      else {
        // The bytes up to the limit are kept.
        if (room > 0) yield value.subarray(0, room);
        throw new TooLarge(`larger than ${limitBytes} bytes`);
      }
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

/** Resolves with all pieces as one. `onBytes` is called with the size of each piece that has to be kept, and may throw to stop. */
export async function collectBytes(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => {},
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) {
    onBytes(piece.byteLength);
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}
