// Keeps the queue filled: admits runs of agents for which something has changed, and looks from time to time for what was not announced.
import type { Clock } from "../../core/ports/clock.ts";
import type { Admission } from "./admission.ts";

export interface Pump {
  start(): void;
  /** Reports that a run of the agent was queued, or one of its slots is free. */
  changed(agent: string): void;
  close(): Promise<void>;
}

/** Milliseconds between two looks for what was not announced. */
const SWEEP_MS = 1000;

export function createPump(options: {
  admission: Admission;
  clock: Clock;
  /** Called when something waits to be claimed in these queues. */
  onAdmitted: (queues: ReadonlySet<string>) => void;
  /** Called with every look. */
  onTick: () => Promise<void>;
  report: (problem: unknown) => void;
}): Pump {
  const { admission, clock, report } = options;
  const waiting = new Set<string>();
  let working: Promise<void> | undefined;
  let callOff = (): void => undefined;
  let state: "new" | "running" | "closed" = "new";

  function tell(queues: ReadonlySet<string>): void {
    if (queues.size > 0) options.onAdmitted(queues);
  }

  async function work(): Promise<void> {
    for (const agent of waiting) {
      waiting.delete(agent);
      try {
        tell(await admission.admit(agent));
      } catch (problem) {
        // The next sweep finds the agent again.
        report(problem);
      }
    }
    working = undefined;
  }

  async function sweep(): Promise<void> {
    let next: number | null = null;
    try {
      const { queues, nextDueAt } = await admission.sweep();
      tell(queues);
      next = nextDueAt;
    } catch (problem) {
      report(problem);
    }
    await options.onTick().catch(report);
    const soon = next === null ? SWEEP_MS : Math.min(SWEEP_MS, next - clock.now());
    if (state === "running") plan(Math.max(1, soon));
  }

  let sweeping: Promise<void> | undefined;
  function plan(delayMs: number): void {
    callOff = clock.after(delayMs, () => {
      sweeping = sweep();
    });
  }

  return {
    start() {
      if (state !== "new") return;
      state = "running";
      plan(1);
    },
    changed(agent) {
      if (state === "closed") return;
      waiting.add(agent);
      working ??= work();
    },
    async close() {
      state = "closed";
      callOff();
      waiting.clear();
      await working;
      await sweeping;
    },
  };
}
