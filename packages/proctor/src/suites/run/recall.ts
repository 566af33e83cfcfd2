// Runs that were made before and stand for new ones: the rest of an interrupted suite, the same content from the cache, or old
// runs that are judged anew.
import type { Hub } from "../../core/ports/hub.ts";
import type { RunStatus } from "../../core/run.ts";
import type { OpenJournal } from "../journal/read-journal.ts";
import { runAlias, type Recall, type Recalled } from "./attempt.ts";

/** What an agent did is worth keeping; what broke on the way is not. */
const WORTH_KEEPING: readonly RunStatus[] = ["completed", "partial"];

/** Results of an earlier invocation: only of the same case, agent and checks. */
export function resumeFrom(journal: OpenJournal): Recall {
  return async (planned, number) => {
    const made = journal.find(planned, number);
    if (!made || made.key !== planned.key?.whole) return undefined;
    const result = await journal.read(made);
    // What could not be evaluated is worth another try.
    return result.outcome === "unevaluated" ? undefined : { source: "resumed", result };
  };
}

/** The runs of an earlier invocation, whatever their checks were then, and whatever has become of the agent. */
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

/** A run with the same content on the same hub, whoever made it. Runs whose checks need a workspace are not among them. */
export function recallCached(hub: Hub): Recall {
  return async ({ key, test }, number): Promise<Recalled | undefined> => {
    if (!key || test.checks.some(({ needsWorkspace }) => needsWorkspace)) return undefined;
    const alias = runAlias(key.run, number);
    const { items } = await hub.runs({ alias, status: WORTH_KEEPING, limit: 1 });
    const [run] = items;
    return run && { source: "cached", runId: run.id };
  };
}

/** The first that knows one. */
export function recallFirst(recalls: readonly Recall[]): Recall {
  return async (planned, number) => {
    for (const recall of recalls) {
      const found = await recall(planned, number);
      if (found) return found;
    }
    return undefined;
  };
}
