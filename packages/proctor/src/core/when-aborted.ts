// Waiting for a signal itself, in what works until it is stopped.

/** Resolves when the signal fires, and at once where it has fired already. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
