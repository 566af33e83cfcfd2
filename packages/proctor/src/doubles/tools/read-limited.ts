// Reads a body whole up to a limit, and lets it go as soon as it is too much or nobody waits for it.

export class TooLarge extends Error {}

/** Throws TooLarge, what the body itself fails with, or the signal's reason. `onBytes` may throw to stop it. */
export async function readLimited(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
  signal: AbortSignal,
  onBytes: (count: number) => void = () => {},
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const cut = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cut, { once: true });
  try {
    signal.throwIfAborted();
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks, size);
      size += value.byteLength;
      if (size > limitBytes) throw new TooLarge(`larger than ${limitBytes} bytes`);
      onBytes(value.byteLength);
      chunks.push(value);
    }
  } catch (error) {
    // The rest is of no interest; whether it can be called off is neither.
    void reader.cancel().catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", cut);
  }
}
