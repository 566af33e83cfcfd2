// The limits of a run hold for the whole tree below it: when its runs together have used more tokens, money or steps than the run at
// the top may, every one that has not ended is stopped.
import { ProctorError } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Store } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { isHeld } from "../core/run-machine.ts";
import { isTerminal, RUN_STATUSES, type Run } from "../core/run.ts";
import { withdrawals } from "./conclude.ts";
import { exceededLimit } from "./limits.ts";
import { toNewEvent } from "./new-event.ts";

export interface TreeLimits {
  /**
   * A run has used something; nothing happens for one that belongs to no tree. `written` resolves when what reports it is on
   * disk, where the sum is taken.
   */
  spent(run: Pick<Run, "id" | "root_id">, written: () => Promise<void>): void;
  /** A run was started: from then on its root is known to have others below it. */
  joined(run: Pick<Run, "id" | "root_id">): void;
  close(): void;
}

/** How long spending is gathered before the sum is taken. */
const GATHER_MS = 100;
const PAGE = 100;

interface PlannedLook {
  /** Waits for the log of each run that has used something since the last look, by the run's id. */
  writes: Map<string, () => Promise<void>>;
  callOff: () => void;
}

const LIVE = RUN_STATUSES.filter((status) => !isTerminal(status));

export function createTreeLimits(options: {
  store: Store;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
}): TreeLimits {
  const { store, clock } = options;
  const nothingToHide = createRedactor([]);
  /** Roots of trees, and the look that is planned for each. */
  const roots = new Map<string, PlannedLook | undefined>();

  function plan(rootId: string): () => void {
    return clock.after(GATHER_MS, () => {
      const writes = roots.get(rootId)?.writes ?? [];
      roots.set(rootId, undefined);
      check(rootId, [...writes.values()]).catch((problem: unknown) => options.report(problem, rootId));
    });
  }

  async function check(rootId: string, writes: readonly (() => Promise<void>)[]): Promise<void> {
    // A run whose log cannot be written ends for that reason.
    await Promise.allSettled(writes.map((written) => written()));
    const root = await store.readRun(rootId);
    if (root === undefined) return;
    const excess = exceededLimit({ ...(await store.tally(rootId)) }, root.constraints);
    if (excess === undefined) return;
    const reason = `the runs below ${rootId} used too much together: ${excess.message}`;
    for (;;) {
      const { items } = await store.listRuns({ root: rootId, status: LIVE, order: "oldest", limit: PAGE });
      const waiting = items.filter((run) => !isHeld(run.status));
      for (const run of items) await stop(run, reason);
      // Runs at work end by themselves; those that wait have ended now.
      if (items.length < PAGE || waiting.length === 0) return;
    }
  }

  async function stop(run: Run, message: string): Promise<void> {
    const failed = { code: "BUDGET_EXCEEDED", message };
    const drafts: EventDraft[] = isHeld(run.status)
      ? [{ type: "run.cancel_requested", payload: { reason: message, failure: failed } }]
      : [...withdrawals(run), { type: "run.ended", payload: { status: "failed", failure: failed } }];
    const events = drafts.map((draft) => toNewEvent(draft, nothingToHide, clock.now()));
    try {
      await store.append(run.id, events, isHeld(run.status) ? {} : { unowned: true });
    } catch (error) {
      // It ended, or somebody has just begun with it: the next look finds it.
      if (!ProctorError.is(error)) throw error;
    }
  }

  return {
    joined({ id, root_id }) {
      if (root_id !== id && !roots.has(root_id)) roots.set(root_id, undefined);
    },
    spent({ id, root_id }, written) {
      if (!roots.has(root_id)) return;
      const planned = roots.get(root_id) ?? { writes: new Map(), callOff: plan(root_id) };
      planned.writes.set(id, written);
      roots.set(root_id, planned);
    },
    close() {
      for (const planned of roots.values()) planned?.callOff();
      roots.clear();
    },
  };
}
