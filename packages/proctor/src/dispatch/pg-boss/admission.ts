// Admits runs to the queue: pg-boss holds only those that may start now, so the limits of agents are exact over all workers, and a deep
// backlog of one agent is never in anybody's way. Which run comes next is one ORDER BY over the table of runs.
import { DATABASE_LABEL, hasLabels } from "../../core/labels.ts";
import type { QueueTransaction } from "../../core/ports/run-queue.ts";
import type { Worker } from "../../core/worker.ts";
import { inTransaction, type Boss } from "./open-boss.ts";
import type { QueuePool } from "./open-pool.ts";
import { withdrawStranded } from "./withdraw-stranded.ts";
import { queueOf } from "./queue-names.ts";

export interface Admission {
  /** One of the agent's runs may have become due, or a place free. */
  admit(agent: string): Promise<number>;
  /** Looks after what nobody announced: times that have come, limits that have changed. Returns when to look again, in epoch ms. */
  sweep(): Promise<{ admitted: number; nextDueAt: number | null }>;
}

interface NextRun {
  id: string;
  requires: string | null;
  rank: number | string;
  concurrency: number | string | null;
  /** How many places of its agent are taken. */
  used?: number;
}

/** How many runs are admitted at once; whoever has room for more asks again. */
const BATCH = 64;

const TURNS = 2 ** 40;

// Most ends find nobody waiting, and cost no transaction then.
const WAITS = `select exists(select 1 from runs
    where status = 'queued' and agent = $1 and admitted is null and not_before <= $2) as waits,
  exists(select 1 from runs where status = 'queued' and requires is not null) as labelled`;
// A run that waits for an answer has no place: others may use it meanwhile.
const NEXT = `select id, requires, rank, concurrency,
    (select count(*)::int from runs where agent = $1 and admitted is not null and status <> 'waiting') as used
  from runs
  where status = 'queued' and agent = $1 and admitted is null and not_before <= $2 and (requires is null or requires = any($3))
  order by rank, ordinal limit $4`;
const MARK = `update runs set admitted = 1 where id = any($1) and admitted is null
  and (status = 'queued' or check_at is not null) returning id`;
const CHECKS = `select id, requires, rank, concurrency from runs
  where check_at <= $1 and admitted is null order by check_at limit $2 for update skip locked`;
// Steps from agent to agent through the index, however many runs each has waiting.
const SHORT_AGENTS = `with recursive names as (
    select (select min(agent) from runs where status = 'queued') as agent
    union all
    select (select min(agent) from runs where status = 'queued' and runs.agent > names.agent) from names where agent is not null
  )
  select names.agent from names,
    lateral (select coalesce(concurrency, $1::bigint) as places from runs
      where status = 'queued' and runs.agent = names.agent and admitted is null and not_before <= $2
      order by rank, ordinal limit 1) as first,
    lateral (select count(*) as used from runs
      where runs.agent = names.agent and admitted is not null and status <> 'waiting') as places
  where places.used < first.places`;
const NEXT_DUE = `select min(not_before)::float8 as at from runs where status = 'queued' and not_before > $1`;
const WORKERS =
  "select document from workers where alive_until > $1 and document is not null and draining = 0";
const WANTED = `select distinct requires from runs where status = 'queued' and requires is not null`;

export function createAdmission(options: {
  pool: QueuePool;
  boss: Boss;
  /** How many runs of one agent may be in flight at once, where its spec does not say. */
  agentLimit: number;
  now: () => number;
}): Admission {
  const { pool, boss, agentLimit, now } = options;

  async function insert(tx: QueueTransaction, runs: readonly NextRun[]): Promise<number> {
    if (runs.length === 0) return 0;
    const marked = await tx.all<{ id: string }>({ sql: MARK, parameters: [runs.map(({ id }) => id)] });
    const ids = new Set(marked.map(({ id }) => id));
    const byQueue = groupByQueue(runs);
    for (const [queue, members] of byQueue) {
      const jobs = members
        .filter(({ id }) => ids.has(id))
        .map(({ id, rank }) => ({ id, priority: priorityOf(Number(rank)), data: { rank: Number(rank) } }));
      if (jobs.length > 0) await boss.boss.insert(queue, jobs, { db: inTransaction(tx) });
    }
    return ids.size;
  }

  /** The sets of labels that are asked for and that some worker has; their queues exist afterwards. */
  async function servedSets(): Promise<string[]> {
    const wanted = await pool.query<{ requires: string }>(WANTED);
    const workers = await pool.query<{ document: string }>(WORKERS, [now()]);
    // Both were written by the store from typed values.
    const labels = workers
      .map(
        ({ document }) =>
          JSON.parse(document) as Pick<Worker, "labels" | "slots" | "draining" | "over" | "no_room">,
      )
      .filter(({ slots, draining, no_room }) => slots > 0 && !draining && no_room === undefined)
      .map(({ labels: own, over }) => (over === "http" ? own : [...own, DATABASE_LABEL]));
    const served = wanted
      .map(({ requires }) => requires)
      .filter((requires) => labels.some((has) => hasLabels(has, JSON.parse(requires) as string[])));
    for (const requires of served) await boss.ensure(queueOf(requires));
    return served;
  }

  /** One at a time for each agent: what is counted stays true until the commit. */
  async function admitSome(
    agent: string,
    served: readonly string[],
  ): Promise<{ admitted: number; more: boolean }> {
    return pool.transaction(async (tx) => {
      const first = await tx.all<NextRun>({ sql: NEXT, parameters: [agent, now(), served, BATCH] });
      let used = first[0]?.used ?? 0;
      const runs: NextRun[] = [];
      for (const run of first) {
        if (used >= Number(run.concurrency ?? agentLimit)) break;
        used += 1;
        runs.push(run);
      }
      return { admitted: await insert(tx, runs), more: runs.length === BATCH };
    }, agent);
  }

  async function admit(agent: string): Promise<number> {
    const [found] = await pool.query<{ waits: boolean; labelled: boolean }>(WAITS, [agent, now()]);
    if (found?.waits !== true) return 0;
    const served = found.labelled ? await servedSets() : [];
    for (let total = 0; ;) {
      const { admitted, more } = await admitSome(agent, served);
      total += admitted;
      if (!more) return total;
    }
  }

  return {
    admit,
    async sweep() {
      await withdrawStranded(pool, servedSets);
      const short = await pool.query<{ agent: string }>(SHORT_AGENTS, [agentLimit, now()]);
      let admitted = 0;
      for (const { agent } of short) admitted += await admit(agent);
      admitted += await pool.transaction(async (tx) =>
        insert(tx, await tx.all<NextRun>({ sql: CHECKS, parameters: [now(), BATCH] })),
      );
      const [next] = await pool.query<{ at: number | null }>(NEXT_DUE, [now()]);
      return { admitted, nextDueAt: next?.at ?? null };
    },
  };
}

function groupByQueue(runs: readonly NextRun[]): Map<string, NextRun[]> {
  const groups = new Map<string, NextRun[]>();
  for (const run of runs) {
    const queue = queueOf(run.requires);
    groups.set(queue, [...(groups.get(queue) ?? []), run]);
  }
  return groups;
}

/** The priority that the rank was made of: see stores/sql/rank.ts. */
function priorityOf(rank: number): number {
  return -Math.floor(rank / TURNS);
}
