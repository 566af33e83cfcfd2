// The limits of a run apply to the whole tree below it: when its runs together have used more tokens, money or steps than the run at
// the top may, every one that has not ended is stopped. No model is called once its tokens or its money are used up.
import { ProctorError } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Store } from "../core/ports/store.ts";
import type { TreeLimits } from "../core/ports/tree-limits.ts";
import { createRedactor } from "../core/redact.ts";
import { isBegun } from "../core/run-machine.ts";
import { isTerminal, RUN_STATUSES, type Run } from "../core/run.ts";
import type { Constraints } from "../core/task.ts";
import { withdrawals } from "./conclude.ts";
import { exceededLimit, hasLimits, usedUpLimit } from "./limits.ts";
import { toNewEvent } from "./new-event.ts";

/** Milliseconds for which spending is gathered before the sum is taken. */
const GATHER_MS = 100;
const PAGE = 100;

interface Tree {
  /** Limits of the run at the top; undefined where nothing is limited. They never change, and are read once. */
  limits?: Promise<Constraints | undefined>;
  look?: PlannedLook | undefined;
}

interface PlannedLook {
  /** Waits for the log of each run that has used something since the last check, by the run's id. */
  writes: Map<string, () => Promise<void>>;
  callOff: () => void;
}

const LIVE = RUN_STATUSES.filter((status) => !isTerminal(status));

export function createTreeLimits(options: {
  store: Pick<Store, "append" | "listRuns" | "readRun" | "tally">;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
}): TreeLimits {
  const { store, clock } = options;
  const nothingToHide = createRedactor([]);
  /** Trees by the id of the run at the top. */
  const trees = new Map<string, Tree>();

  function plan(rootId: string, tree: Tree): () => void {
    return clock.after(GATHER_MS, () => {
      const writes = tree.look?.writes ?? [];
      tree.look = undefined;
      check(rootId, tree, [...writes.values()]).catch((problem: unknown) => options.report(problem, rootId));
    });
  }

  function limitsOf(rootId: string, tree: Tree): Promise<Constraints | undefined> {
    tree.limits ??= store.readRun(rootId).then(
      (root) => (root !== undefined && hasLimits(root.constraints) ? root.constraints : undefined),
      (problem: unknown) => {
        delete tree.limits;
        throw problem;
      },
    );
    return tree.limits;
  }

  async function check(rootId: string, tree: Tree, writes: readonly (() => Promise<void>)[]): Promise<void> {
    // Most trees have no limits, and thousands of runs: nothing is summed up for them.
    const limits = await limitsOf(rootId, tree);
    if (limits === undefined) return;
    // A run whose log cannot be written ends for that reason.
    await Promise.allSettled(writes.map((written) => written()));
    const excess = exceededLimit({ ...(await store.tally(rootId)) }, limits);
    if (excess === undefined) return;
    const reason = `the runs below ${rootId} used too much together: ${excess.message}`;
    for (;;) {
      const { items } = await store.listRuns({ root: rootId, status: LIVE, order: "oldest", limit: PAGE });
      const waiting = items.filter((run) => !isBegun(run));
      for (const run of items) await stop(run, reason);
      // Runs at work end by themselves; those that wait have ended now.
      if (items.length < PAGE || waiting.length === 0) return;
    }
  }

  async function stop(run: Run, message: string): Promise<void> {
    const failed = { code: "BUDGET_EXCEEDED", message };
    const drafts: EventDraft[] = isBegun(run)
      ? [{ type: "run.cancel_requested", payload: { reason: message, failure: failed } }]
      : [...withdrawals(run), { type: "run.ended", payload: { status: "failed", failure: failed } }];
    const events = drafts.map((draft) => toNewEvent(draft, nothingToHide, clock.now()));
    try {
      await store.append(run.id, events, isBegun(run) ? {} : { unowned: true });
    } catch (error) {
      // It ended, or a worker has just begun with it: the next check finds it.
      if (!ProctorError.is(error)) throw error;
    }
  }

  return {
    joined({ id, root_id }) {
      if (root_id !== id && !trees.has(root_id)) trees.set(root_id, {});
    },
    spent({ id, root_id }, written) {
      const tree = trees.get(root_id);
      if (tree === undefined) return;
      tree.look ??= { writes: new Map(), callOff: plan(root_id, tree) };
      tree.look.writes.set(id, written);
    },
    async usedUp({ root_id }) {
      const tree = trees.get(root_id);
      const limits = tree && (await limitsOf(root_id, tree));
      if (limits === undefined) return undefined;
      return usedUpLimit({ ...(await store.tally(root_id)) }, limits);
    },
    close() {
      for (const { look } of trees.values()) look?.callOff();
      trees.clear();
    },
  };
}
