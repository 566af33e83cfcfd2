// A delay by an injected clock that ends early, by rejecting with the signal's reason, when it is no longer needed.
import type { Clock } from "../../core/ports/clock.ts";

export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // The reason of an abort is whatever the caller of `abort` gives; here always an Error.
    const refuse = (): void => reject(signal.reason as Error);
    if (signal.aborted) return refuse();
    const leave = (): void => {
      callOff();
      refuse();
    };
    const callOff = clock.after(delayMs, () => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
    signal.addEventListener("abort", leave, { once: true });
  });
}
