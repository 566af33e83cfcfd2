// An async iterable as the body of a response. It is pulled only as fast as the client reads, and closed when the client
// goes away.

export interface BodyStreamOptions {
  /** The client went away or the body is done: release what the source holds. */
  onClose?: () => void;
  /** The source failed. Return true when the connection was cut; otherwise the stream itself errors. */
  onFailure: (cause: unknown) => boolean;
}

export function bodyStream(
  source: AsyncIterable<Uint8Array>,
  { onClose, onFailure }: BodyStreamOptions,
): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  /** The client went away: how the source ends is nobody's business any more. */
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
        onClose?.();
      },
      async cancel() {
        cancelled = true;
        onClose?.();
        await iterator.return?.();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
