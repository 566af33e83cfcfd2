// One signal out of several that leaves nothing behind in those that live on, as AbortSignal.any may.

interface JoinedSignal {
  signal: AbortSignal;
  release: () => void;
}

export function joinSignals(signals: readonly AbortSignal[]): JoinedSignal {
  const controller = new AbortController();
  const listeners = signals.map((signal) => {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    return () => signal.removeEventListener("abort", abort);
  });
  return {
    signal: controller.signal,
    release() {
      for (const remove of listeners) remove();
    },
  };
}
