// Waiting that a signal can end, for promises and iterables that take no signal themselves.

/** Settles like the promise, or rejects with the signal's reason when that comes first; the promise is then ignored. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let give = (_reason: unknown): void => undefined;
  const aborted = new Promise<never>((_, reject) => (give = reject));
  const abort = (): void => give(signal.reason);
  // The one that loses the race must not become an unhandled rejection.
  aborted.catch(() => undefined);
  promise.catch(() => undefined);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Yields the same items until the signal fires; then its reason is thrown, even while the source is silent. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const closed = Promise.resolve(iterator.return?.());
    // A source that hangs would hang here as well.
    if (signal.aborted) closed.catch(() => undefined);
    else await closed;
  }
}
