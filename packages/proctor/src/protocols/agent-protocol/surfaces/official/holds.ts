// Holding an agent between steps: it works only while a request for a step is open, and is paused when that step is over, whether or not
// the client still waits. The hub sees a step when it is over, so an agent may have gone on a little by then: what it did is shown next.
import { ProctorError } from "../../../../core/errors.ts";
import { isJsonObject } from "../../../../core/json.ts";
import { isTerminal, type Run } from "../../../../core/run.ts";
import { isOver } from "../../../../core/step.ts";
import type { SurfaceOptions } from "../../../protocol.ts";
import { ORIGIN } from "./documents.ts";

export interface Holds {
  /** Lets the agent go on until its step with this number is over; a no-op while it does so already. */
  goOn(run: Run, number: number): Promise<void>;
}

/** Returns whether the task was created to be held between steps. */
export function isHeld({ metadata }: Run): boolean {
  const origin = metadata[ORIGIN];
  return isJsonObject(origin) && origin["hold"] === true;
}

export function createHolds(
  { hub, log, report }: Pick<SurfaceOptions, "hub" | "log" | "report">,
  stopping: AbortSignal,
): Holds {
  const released = new Set<string>();

  async function pauseAfter(task: string, number: number): Promise<void> {
    const isDone = async (): Promise<true | undefined> => {
      const { run, steps } = await hub.steps(task);
      const step = steps[number];
      return isTerminal(run.status) || (step !== undefined && isOver(step.status)) ? true : undefined;
    };
    await log.until(task, isDone, stopping);
    try {
      await hub.pause(task);
    } catch (error) {
      // It ended, or another client has paused it.
      if (!ProctorError.is(error) || error.code !== "ILLEGAL_TRANSITION") throw error;
    }
  }

  return {
    async goOn({ id }, number) {
      if (released.has(id)) return;
      released.add(id);
      try {
        if ((await hub.run(id)).status === "paused") await hub.resume(id);
      } catch (error) {
        released.delete(id);
        throw error;
      }
      void pauseAfter(id, number)
        .catch((problem: unknown) => {
          if (!stopping.aborted) report(problem, id);
        })
        .finally(() => released.delete(id));
    },
  };
}
