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
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          if (done !== true) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (cause) {
          if (onFailure(cause)) controller.close();
          else controller.error(cause);
        }
        onClose?.();
      },
      async cancel() {
        onClose?.();
        await iterator.return?.();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
