// Earlier runs that take the place of new ones: those of an interrupted suite, those with the same content in the cache, or
// previous runs that are graded again.
import type { Hub } from "../../core/ports/hub.ts";
import type { RunStatus } from "../../core/run.ts";
import type { OpenJournal } from "../journal/read-journal.ts";
import type { AttemptResult } from "../result.ts";
import { checksOf, isConversation } from "../suite.ts";
import { runAlias, type Recall, type Recalled, type RecalledConversation } from "./attempt.ts";

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
  return async (planned, number) => {
    const made = journal.find(planned, number);
    const missing = (reason: string): Recalled => ({ source: "rescored", missing: reason });
    if (!made?.runId) return missing("there is no run of it to judge again");
    if (made.taskKey !== planned.key?.task) return missing("its task has changed since: run it again");
    if (!isConversation(planned.test)) return { source: "rescored", runId: made.runId };
    return { source: "rescored", runId: made.runId, held: heldBefore(await journal.read(made)) };
  };
}

/** How a conversation ended is not in its runs where the suite itself broke it off. */
function heldBefore({ thread, failure, reason = "", outcome, notes }: AttemptResult): RecalledConversation {
  const ended = thread?.ended ?? "script";
  const isStopped = ["question", "limit", "simulator", "not_supported"].includes(ended);
  const simulator = thread?.simulator;
  return {
    ended,
    ...(isStopped && {
      stop: {
        kind: "stop",
        ended,
        outcome: outcome === "unevaluated" ? "unevaluated" : "fail",
        reason,
        ...(failure && { failure }),
      },
    }),
    ...(notes && { notes }),
    ...(simulator && { simulator }),
  };
}

/**
 * Finds a run with the same content on the same hub, unless its checks need a workspace. Only the last run of a scripted conversation has
 * such a name; simulated users are asked again.
 */
export function recallCached(hub: Hub): Recall {
  return async ({ key, test }, number): Promise<Recalled | undefined> => {
    if (!key || checksOf(test).some(({ needsWorkspace }) => needsWorkspace)) return undefined;
    const alias = runAlias(key.run, number);
    const { items } = await hub.runs({ alias, status: WORTH_KEEPING, limit: 1 });
    const [run] = items;
    return run && { source: "cached", runId: run.id, ...(test.turns && { held: { ended: "script" } }) };
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
