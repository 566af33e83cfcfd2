// A delay that ends early, by rejecting, when there is nobody left to wait for.
import type { Clock } from "../../core/ports/clock.ts";

export function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // The reason of an abort is what the one who aborts says it is; here always an Error.
    const refuse = (): void => reject(signal.reason as Error);
    if (signal.aborted) return refuse();
    const cut = (): void => {
      callOff();
      refuse();
    };
    const callOff = clock.after(delayMs, () => {
      signal.removeEventListener("abort", cut);
      resolve();
    });
    signal.addEventListener("abort", cut, { once: true });
  });
}
