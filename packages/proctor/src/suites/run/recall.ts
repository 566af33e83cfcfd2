// Earlier runs that take the place of new ones: those of an interrupted suite, those with the same content in the cache, or
// previous runs that are graded again.
import type { Hub } from "../../core/ports/hub.ts";
import type { RunStatus } from "../../core/run.ts";
import type { OpenJournal } from "../journal/read-journal.ts";
import { runAlias, type Recall, type Recalled } from "./attempt.ts";

/** Only a run that the agent itself ended is worth reusing, not one that infrastructure broke. */
const WORTH_KEEPING: readonly RunStatus[] = ["completed", "partial"];

/** Finds results of an earlier invocation for the same case, agent and checks. */
export function resumeFrom(journal: OpenJournal): Recall {
  return async (planned, number) => {
    const made = journal.find(planned, number);
    if (!made || made.key !== planned.key?.whole) return undefined;
    const result = await journal.read(made);
    // An unevaluated run is tried again.
    return result.outcome === "unevaluated" ? undefined : { source: "resumed", result };
  };
}

/** Finds the runs of an earlier invocation, even if the checks or the agent have changed since. */
export function rescoreFrom(journal: OpenJournal): Recall {
  return (planned, number) => {
    const made = journal.find(planned, number);
    const missing = (reason: string): Recalled => ({ source: "rescored", missing: reason });
    if (!made?.runId) return Promise.resolve(missing("there is no run of it to judge again"));
    const same = made.taskKey === planned.key?.task;
    return Promise.resolve(
      same ? { source: "rescored", runId: made.runId } : missing("its task has changed since: run it again"),
    );
  };
}

/** Finds a run with the same content on the same hub, unless its checks need a workspace. */
export function recallCached(hub: Hub): Recall {
  return async ({ key, test }, number): Promise<Recalled | undefined> => {
    if (!key || test.checks.some(({ needsWorkspace }) => needsWorkspace)) return undefined;
    const alias = runAlias(key.run, number);
    const { items } = await hub.runs({ alias, status: WORTH_KEEPING, limit: 1 });
    const [run] = items;
    return run && { source: "cached", runId: run.id };
  };
}

/** Asks each source in turn and takes the first run that one of them knows. */
export function recallFirst(recalls: readonly Recall[]): Recall {
  return async (planned, number) => {
    for (const recall of recalls) {
      const found = await recall(planned, number);
      if (found) return found;
    }
    return undefined;
  };
}
