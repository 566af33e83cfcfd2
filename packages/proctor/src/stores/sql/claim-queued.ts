// Gives a worker runs that an external queue has for it, inside a transaction: all of them with a few statements.
import { sql } from "kysely";
import type { RunQueue } from "../../core/ports/run-queue.ts";
import { isHeld } from "../../core/run-machine.ts";
import {
  MAX_CLAIMS,
  startedEvent,
  toClaimed,
  type Claim,
  type ClaimRuns,
  type Secrets,
} from "./claim-runs.ts";
import { selectRuns, type RunLoader } from "./load-run.ts";
import { planAppend, type PlannedAppend } from "./plan-append.ts";
import type { RunRecord } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

/** What a store needs so that a queue decides which worker has which run. */
export interface QueuedRuns {
  queue: RunQueue;
  /** Writes what was planned for several runs, which this transaction has locked. */
  append: (tx: Connection, plans: readonly PlannedAppend[]) => Promise<void>;
  /** Called with a claimed run as it is now. */
  claimed: (record: RunRecord) => void;
}

export function createClaimQueued(
  dialect: SqlDialect,
  loader: RunLoader,
  { queue, append }: QueuedRuns,
): ClaimRuns {
  // In the order in which everybody locks runs.
  const locked = template(({ ids }: { ids: readonly string[] }) =>
    selectRuns(dialect)
      .select(["runs.sealed", "runs.continuation"])
      .where(sql<boolean>`runs.id = any(${ids})`)
      .orderBy("runs.id")
      .modifyEnd(dialect.lockRun),
  );
  const raiseFence = template(({ id, worker, fence }: { id: string; worker: string; fence: number }) =>
    dialect.builder.updateTable("runs").set({ worker, fence }).where("id", "=", id),
  );

  async function load(tx: Connection, ids: readonly string[]): Promise<Map<string, [RunRecord, Secrets]>> {
    const found = new Map<string, [RunRecord, Secrets]>();
    for (const row of await tx.all(locked({ ids }))) found.set(row.id, [await loader.complete(tx, row), row]);
    return found;
  }

  return async (tx, request) => {
    const limit = Math.max(0, Math.min(Math.trunc(request.limit), MAX_CLAIMS)) || 0;
    const claim: Claim = { claimed: [], nextDueAt: null, started: [] };
    // Without room, a queue still gives what dead workers left.
    const { ids, at, committed } = await queue.take(tx, { ...request, limit });
    claim.committed = committed;
    if (ids.length === 0) return claim;
    const started = startedEvent(request.worker, at);
    const found = await load(tx, ids);
    const plans: PlannedAppend[] = [];
    for (const id of ids) {
      const [waiting, secrets] = found.get(id) ?? [];
      if (waiting === undefined || secrets === undefined) await queue.drop(tx, id);
      else if (isStartable(waiting)) {
        const owner = { worker: request.worker, fence: waiting.fence + 1 };
        const planned = planAppend(waiting, [started], owner);
        if (planned === undefined) continue;
        plans.push(planned);
        claim.started.push(planned.after);
        claim.claimed.push(toClaimed(planned.after, secrets, waiting));
      } else if (isInFlight(waiting)) {
        const raised = { ...waiting, fence: waiting.fence + 1 };
        await tx.run(raiseFence({ id, worker: request.worker, fence: raised.fence }));
        (claim.interrupted ??= []).push(toClaimed(raised, secrets, waiting));
      } else await queue.drop(tx, id);
    }
    if (plans.length > 0) await append(tx, plans);
    return claim;
  };
}

/** Returns whether a run waits for a worker: in line, or parked and due for a check. */
function isStartable({ state: { run, talk } }: RunRecord): boolean {
  return (
    run.status === "queued" ||
    (run.status === "waiting" && talk?.parked === true && talk.check_at !== undefined)
  );
}

function isInFlight({ worker, state }: RunRecord): boolean {
  return worker !== null && isHeld(state.run.status);
}
