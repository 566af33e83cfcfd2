// What is left of an ended run for its checks: the directory it worked in, and the terminal it typed into. Both are held
// only as long as a check may need them.
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import { terminalId, type Environments } from "../core/ports/environments.ts";
import type { Verify } from "../core/ports/verify.ts";
import type { KeptWorkspace, Workspaces } from "../core/ports/workspaces.ts";
import type { Run } from "../core/run.ts";

interface JudgingDeps {
  workspaces: Pick<Workspaces, "openKept">;
  environments: Pick<Environments, "find">;
  verify: Verify;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
}

export interface Judging {
  /** Opens the run's directory. Throws NOT_FOUND. */
  openWorkspace(run: Run): Promise<KeptWorkspace>;
  verify: Verify;
  /** Removes the directory and the terminal, unless the run's options keep the directory. */
  release(run: Run): Promise<void>;
  /** Starts the time after which a terminal that was not released is destroyed. */
  onHeld(runId: string): void;
  /** Cancels the timers; the terminals are destroyed with their environments. */
  close(): void;
}

/** Milliseconds that a terminal is held: a client that died never releases it. */
const HELD_MS = 60 * 60 * 1000;

export function createJudging({ workspaces, environments, verify, clock, report }: JudgingDeps): Judging {
  const limits = new Map<string, () => void>();

  async function destroyTerminal(runId: string): Promise<void> {
    limits.get(runId)?.();
    limits.delete(runId);
    await environments.find(terminalId(runId))?.destroy();
  }

  return {
    async openWorkspace({ id, options }) {
      const { keep, hold } = options?.workspace ?? {};
      const found = keep === true || hold === true ? await workspaces.openKept(id) : undefined;
      if (found) return found;
      throw new ProctorError("NOT_FOUND", `the workspace of run ${id} was not kept, or is gone`);
    },
    verify,
    async release({ id, options }) {
      const { keep, hold } = options?.workspace ?? {};
      if (hold === true && keep !== true) await (await workspaces.openKept(id))?.remove();
      await destroyTerminal(id);
    },
    onHeld(runId) {
      const destroy = (): void =>
        void destroyTerminal(runId).catch((problem: unknown) => report(problem, runId));
      limits.set(runId, clock.after(HELD_MS, destroy));
    },
    close() {
      for (const callOff of limits.values()) callOff();
      limits.clear();
    },
  };
}
