// Holds messages back until all of them are there, and lets the last one go first: so that their answers really cross.

/** Milliseconds without another message after which those that have arrived continue: a gateway may limit concurrent requests. */
const QUIET_MS = 500;

/** Returns the wait that each message goes through. */
export function createCrowd(size: number, signal: AbortSignal): () => Promise<void> {
  let waiting: (() => void)[] = [];
  let left = size;
  let timer: NodeJS.Timeout | undefined;

  function open(): void {
    clearTimeout(timer);
    const opened = waiting.toReversed();
    waiting = [];
    for (const resume of opened) resume();
  }

  signal.addEventListener("abort", open, { once: true });
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      left--;
      clearTimeout(timer);
      if (left === 0 || signal.aborted) open();
      else timer = setTimeout(open, QUIET_MS);
    });
}
