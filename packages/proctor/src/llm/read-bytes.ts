// Reads a body piece by piece, no further than a limit, and lets go of it when nobody waits any more.

export class TooLarge extends Error {}

/** Throws TooLarge, what the body itself fails with, or the signal's reason. Leaving the loop early leaves the body. */
export async function* readBytes(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    let size = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      const room = limitBytes - size;
      size += value.byteLength;
      if (size <= limitBytes) yield value;
      else {
        // What had arrived is kept.
        if (room > 0) yield value.subarray(0, room);
        throw new TooLarge(`larger than ${limitBytes} bytes`);
      }
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** The whole of it as text. `onBytes` is told what has to be kept, and may throw. Throws also for what is no UTF-8. */
export async function readText(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => {},
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) {
    onBytes(piece.byteLength);
    chunks.push(piece);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}
