// An async iterable as the body of a response. It is pulled only as fast as the client reads, and closed when the client
// goes away.

interface BodyStreamOptions {
  /** Called once when the body is over, to release what the source holds; `left` when the client went away before its end. */
  onClose?: (how: "ended" | "left") => void;
  /** Called when the source fails. It returns true when it has cut the connection; otherwise the stream itself errors. */
  onFailure: (cause: unknown) => boolean;
}

export function bodyStream(
  source: AsyncIterable<Uint8Array>,
  { onClose, onFailure }: BodyStreamOptions,
): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  /** Whether the client is gone: how the source ends then no longer matters. */
  let cancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          if (cancelled) return;
          if (done !== true) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (cause) {
          if (cancelled) return;
          if (onFailure(cause)) controller.close();
          else controller.error(cause);
        }
        onClose?.("ended");
      },
      async cancel() {
        cancelled = true;
        onClose?.("left");
        await iterator.return?.();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
