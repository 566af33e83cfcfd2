// A pause that ends early when the goal is stopped.
import type { GoalContext } from "./context.ts";

export async function waitUnlessStopped(
  { deps, signal }: Pick<GoalContext, "deps" | "signal">,
  ms: number,
): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      callOff();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const callOff = deps.clock.after(ms, done);
    signal.addEventListener("abort", done, { once: true });
  });
}
