// Finds which of the waiting runs a worker may take: those that are due and require no label that it lacks, in the order of their ranks
// within what their agents take.
import { sql } from "kysely";
import { hasLabels } from "../../core/labels.ts";
import type { ClaimRequest } from "../../core/ports/store.ts";
import type { RunsTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

type WaitingRun = { ordinal: number } & Pick<
  RunsTable,
  "id" | "agent" | "rank" | "not_before" | "check_at" | "concurrency" | "sealed" | "continuation"
>;

export interface Waiting {
  /** Runs that may be taken, at most as many as the request's limit. */
  takeable: WaitingRun[];
  /** When the next run becomes due, in epoch milliseconds. */
  nextDueAt: number | null;
}

type FindWaiting = (tx: Connection, request: ClaimRequest) => Promise<Waiting>;

const COLUMNS = [
  "ordinal",
  "id",
  "agent",
  "rank",
  "not_before",
  "check_at",
  "concurrency",
  "sealed",
  "continuation",
] as const;

/** Ids that one statement looks up; the last statement repeats its last id. */
const IDS_PER_STATEMENT = 64;

export function createFindWaiting({ builder, lockFreeRuns }: SqlDialect): FindWaiting {
  // Written out, not bound: only then does the index of waiting runs apply.
  const queued = sql<boolean>`status = 'queued'`;
  const waiting = builder.selectFrom("runs").where(queued);
  const inOrder = waiting.select(COLUMNS).orderBy("rank").orderBy("ordinal").modifyEnd(lockFreeRuns);
  // Parked runs that a worker must check on although no answer came. They wait, so their agents' limits do not count.
  const unchecked = builder.selectFrom("runs").where("check_at", "is not", null);
  const dueCheck = template(({ now, limit }: { now: number; limit: number }) =>
    unchecked
      .select(COLUMNS)
      .where("check_at", "<=", now)
      .orderBy("check_at")
      .limit(limit)
      .modifyEnd(lockFreeRuns),
  );
  const nextCheck = template(({ now }: { now: number }) =>
    unchecked.select((eb) => eb.fn.min("check_at").as("at")).where("check_at", ">", now),
  );
  // The sum keeps a planner from gathering all that are due by time and sorting them, when the first few are wanted.
  const dueAt = sql<number>`not_before + 0`;
  const named = template((ids: readonly string[]) =>
    builder
      .selectFrom("runs")
      .select([...COLUMNS, "requires"])
      .where((eb) => eb.or([queued, eb("check_at", "is not", null)]))
      .where(
        "id",
        "in",
        Array.from({ length: IDS_PER_STATEMENT }, (_, index) => ids[index] ?? ""),
      )
      .modifyEnd(lockFreeRuns),
  );
  /** Returns the queries for a worker that may take runs which require nothing, or one of these sets of labels. */
  const forLabels = remembered((sets: readonly string[]) => {
    const fitting = inOrder.where((eb) =>
      eb.or([eb("requires", "is", null), ...(sets.length > 0 ? [eb("requires", "in", sets)] : [])]),
    );
    return {
      due: template(({ now, limit }: { now: number; limit: number }) =>
        fitting.where(dueAt, "<=", now).limit(limit),
      ),
      dueOf: template(({ agent, now, limit }: { agent: string; now: number; limit: number }) =>
        fitting.where("agent", "=", agent).where(dueAt, "<=", now).limit(limit),
      ),
    };
  });
  const requirements = compile(
    builder
      .selectFrom("runs")
      .select("requires")
      .distinct()
      .where(queued)
      .where("requires", "is not", null)
      .orderBy("requires"),
  );
  // One statement, because every claim asks: the next run that becomes due, and the first that is to be looked after.
  const next = template(({ now }: { now: number }) =>
    builder.selectNoFrom([
      waiting
        .select((eb) => eb.fn.min("not_before").as("at"))
        .where("not_before", ">", now)
        .as("due_at"),
      unchecked.select((eb) => eb.fn.min("check_at").as("at")).as("check_at"),
    ]),
  );
  // Steps from agent to agent through the index, however many runs each has waiting.
  const waitingAgents = compile(
    builder
      .withRecursive("names", (cte) =>
        cte.selectNoFrom(waiting.select((eb) => eb.fn.min("agent").as("agent")).as("agent")).unionAll(
          cte
            .selectFrom("names")
            .select((eb) =>
              eb
                .selectFrom("runs")
                .where(queued)
                .whereRef("runs.agent", ">", "names.agent")
                .select((inner) => inner.fn.min("runs.agent").as("agent"))
                .as("agent"),
            )
            .where("names.agent", "is not", null),
        ),
      )
      .selectFrom("names")
      .select("agent")
      .where("agent", "is not", null),
  );

  async function findAmong(tx: Connection, only: readonly string[], request: ClaimRequest): Promise<Waiting> {
    const found = new Map<number, WaitingRun>();
    for (let start = 0; start < only.length; start += IDS_PER_STATEMENT) {
      const ids = only.slice(start, start + IDS_PER_STATEMENT);
      const last = ids.at(-1) ?? "";
      while (ids.length < IDS_PER_STATEMENT) ids.push(last);
      for (const { requires, ...run } of await tx.all(named(ids)))
        if (isFor(request, requires)) found.set(run.ordinal, run);
    }
    const runs = [...found.values()].sort(byRank);
    const isDue = (run: WaitingRun) => dueTime(run) <= request.now;
    const due = takeable(
      runs.filter((run) => run.check_at === null && isDue(run)),
      request,
    );
    const checks = runs.filter((run) => run.check_at !== null && isDue(run));
    return {
      takeable: [...due, ...checks].slice(0, request.limit),
      nextDueAt: earliest(...runs.filter((run) => !isDue(run)).map(dueTime)),
    };
  }

  async function findTakeable(tx: Connection, request: ClaimRequest): Promise<WaitingRun[]> {
    const { now, limit, labels = [] } = request;
    // Only a worker that has labels asks which are wanted.
    const wanted = labels.length === 0 ? [] : await tx.all(requirements);
    const { due, dueOf } = forLabels(
      wanted.flatMap(({ requires }) => (requires !== null && isFor(request, requires) ? [requires] : [])),
    );
    const oldest = await tx.all(due({ now, limit }));
    const taken = takeable(oldest, request);
    if (oldest.length < limit || taken.length === limit) return taken;
    // Agents that take no more are in the way: ask for each agent by itself.
    const all: WaitingRun[] = [];
    for (const { agent } of await tx.all(waitingAgents)) {
      if (agent !== null) all.push(...takeable(await tx.all(dueOf({ agent, now, limit })), request));
    }
    return all.sort(byRank).slice(0, limit);
  }

  return async (tx, request) => {
    if (request.only !== undefined) return findAmong(tx, request.only, request);
    const { now, limit } = request;
    const runs = await findTakeable(tx, request);
    // The next due time is not needed while there is enough to do.
    if (runs.length === limit) return { takeable: runs, nextDueAt: null };
    const { due_at, check_at } = (await tx.first(next({ now }))) ?? { due_at: null, check_at: null };
    if (check_at === null || check_at > now) return { takeable: runs, nextDueAt: earliest(due_at, check_at) };
    const checks = await tx.all(dueCheck({ now, limit: limit - runs.length }));
    const nextCheckAt = (await tx.first(nextCheck({ now })))?.at;
    return { takeable: [...runs, ...checks], nextDueAt: earliest(due_at, nextCheckAt) };
  };
}

/** Sets of labels that are remembered with their queries. */
const MAX_SETS = 50;

function remembered<T>(make: (sets: readonly string[]) => T): (sets: readonly string[]) => T {
  const known = new Map<string, T>();
  return (sets) => {
    const key = sets.join(" ");
    const queries = known.get(key) ?? make(sets);
    if (known.size < MAX_SETS) known.set(key, queries);
    return queries;
  };
}

/** Returns whether a worker may take a run that requires these labels, as they are stored. */
function isFor({ labels = [] }: ClaimRequest, requires: string | null): boolean {
  // Written by rank.ts from a list of texts.
  return requires === null || hasLabels(labels, JSON.parse(requires) as string[]);
}

function byRank(a: WaitingRun, b: WaitingRun): number {
  return a.rank - b.rank || a.ordinal - b.ordinal;
}

/** Returns when a run is to be claimed, in epoch milliseconds. */
function dueTime({ check_at, not_before }: WaitingRun): number {
  return check_at ?? not_before;
}

function earliest(...times: (number | null | undefined)[]): number | null {
  return times.reduce<number | null>((first, at) => (at == null ? first : Math.min(first ?? at, at)), null);
}

/** Returns the runs that the agents' limits allow, in order. A run that must wait for its agent holds back the agent's later runs. */
function takeable(runs: readonly WaitingRun[], request: ClaimRequest): WaitingRun[] {
  const { inFlight, agentLimit, limit } = request;
  const counts = new Map<string, number>();
  const taken: WaitingRun[] = [];
  for (const run of runs) {
    if (taken.length === limit) break;
    const count =
      counts.get(run.agent) ?? (Object.hasOwn(inFlight, run.agent) ? inFlight[run.agent] : 0) ?? 0;
    const fits = count < (run.concurrency ?? agentLimit);
    counts.set(run.agent, fits ? count + 1 : Infinity);
    if (fits) taken.push(run);
  }
  return taken;
}
