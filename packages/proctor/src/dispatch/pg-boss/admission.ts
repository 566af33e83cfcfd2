// Admits runs to the queue: pg-boss holds only those that may start now, so the limits of agents are exact over all workers, and a deep
// backlog of one agent never delays another. Which run comes next is one ORDER BY over the table of runs.
import { DATABASE_LABEL, hasLabels } from "../../core/labels.ts";
import type { QueueTransaction } from "../../core/ports/run-queue.ts";
import type { Worker } from "../../core/worker.ts";
import { inTransaction, type Boss } from "./open-boss.ts";
import type { QueuePool } from "./open-pool.ts";
import { withdrawStranded } from "./withdraw-stranded.ts";
import { queueOf } from "./queue-names.ts";

export interface Admission {
  /** To be called when one of the agent's runs may have become due, or a slot free. Resolves with the queues to which jobs have come. */
  admit(agent: string): Promise<ReadonlySet<string>>;
  /** Finds what was not announced: times that have come, limits that have changed. Resolves with when to look again, in epoch ms. */
  sweep(): Promise<{ queues: ReadonlySet<string>; nextDueAt: number | null }>;
}

interface NextRun {
  id: string;
  requires: string | null;
  rank: number | string;
}

/** Columns are null in the one row that there is when no run is admitted. */
interface AdmittedRun extends Omit<NextRun, "id"> {
  id: string | null;
  /** Number of runs that were looked at. */
  found: number;
}

/** Runs that are admitted at once; a worker with room for more asks again. */
const BATCH = 64;

const TURNS = 2 ** 40;

// Most ends find nobody waiting, and cost no transaction then.
const WAITS = `select exists(select 1 from runs
    where status = 'queued' and agent = $1 and admitted is null and not_before <= $2) as waits,
  exists(select 1 from runs where status = 'queued' and requires is not null) as labelled`;
// The first in line, up to the one for which there is no place. A run that waits for an answer has none: others may use it meanwhile.
// Where nobody looked which labels are served ($3 is null), there is no line while runs require any. The server has no statistics of a new
// table, so nothing is left to its choice: the line is read in the order of its index (which the sum in the condition leaves as the only
// one), places are counted once, and runs are found by their ids.
const ADMIT = `with line as (
    select id, rank, ordinal, coalesce(concurrency, $5::bigint) as places from runs
    where status = 'queued' and agent = $1 and admitted is null and not_before + 0 <= $2 and (requires is null or requires = any($3::text[]))
      and ($3::text[] is not null or not exists (select 1 from runs where status = 'queued' and requires is not null))
    order by rank, ordinal limit $4
  ), turns as (
    select id, rank, ordinal, places, row_number() over (order by rank, ordinal) + (
      select count(*) from runs where agent = $1 and admitted is not null and status <> 'waiting') as turn
    from line
  ), fitting as (
    select id, bool_and(turn <= places) over (order by rank, ordinal) as fits from turns
  ), marked as (
    update runs set admitted = 1 where id = any(array(select id from fitting where fits)) and admitted is null
      and (status = 'queued' or check_at is not null) returning id, requires, rank
  )
  select id, requires, rank, (select count(*)::int from line) as found from (select 1) as always left join marked on true`;
const MARK = `update runs set admitted = 1 where id = any($1) and admitted is null
  and (status = 'queued' or check_at is not null) returning id`;
const CHECKS = `select id, requires, rank from runs
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
  /** Runs of one agent that may be in flight at once, where its spec does not say. */
  agentLimit: number;
  now: () => number;
}): Admission {
  const { pool, boss, agentLimit, now } = options;

  /** Agents of which more runs were due than had slots: they are admitted without asking first whether a run waits. */
  const crowded = new Set<string>();

  async function insert(tx: QueueTransaction, runs: readonly NextRun[]): Promise<string[]> {
    const byQueue = groupByQueue(runs);
    for (const [queue, members] of byQueue) {
      const jobs = members.map(({ id, rank }) => ({
        id,
        priority: priorityOf(Number(rank)),
        data: { rank: Number(rank) },
      }));
      await boss.boss.insert(queue, jobs, { db: inTransaction(tx) });
    }
    return [...byQueue.keys()];
  }

  /** Admits parked runs that are due for a check: they have no slot. */
  async function admitChecks(): Promise<string[]> {
    return pool.transaction(async (tx) => {
      const due = await tx.all<NextRun>({ sql: CHECKS, parameters: [now(), BATCH] });
      if (due.length === 0) return [];
      const marked = await tx.all<{ id: string }>({ sql: MARK, parameters: [due.map(({ id }) => id)] });
      const ids = new Set(marked.map(({ id }) => id));
      return insert(
        tx,
        due.filter(({ id }) => ids.has(id)),
      );
    });
  }

  /** Resolves with the sets of labels that are asked for and that some worker has; their queues exist afterwards. */
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
    served: readonly string[] | null,
  ): Promise<{ queues: string[]; admitted: number; found: number }> {
    return pool.transaction(async (tx) => {
      const parameters = [agent, now(), served, BATCH, agentLimit];
      const rows = await tx.all<AdmittedRun>({ sql: ADMIT, parameters });
      const runs = rows.flatMap(({ id, requires, rank }) => (id === null ? [] : { id, requires, rank }));
      return { queues: await insert(tx, runs), admitted: runs.length, found: rows[0]?.found ?? 0 };
    }, agent);
  }

  /**
   * Resolves with the sets of labels that are served; null where none are asked for, which the admission sees for itself, as that may have changed
   * by then; undefined when none of the agent's runs is due.
   */
  async function look(agent: string): Promise<readonly string[] | null | undefined> {
    const [row] = await pool.query<{ waits: boolean; labelled: boolean }>(WAITS, [agent, now()]);
    if (row?.waits !== true) return undefined;
    return row.labelled ? servedSets() : null;
  }

  async function admit(agent: string): Promise<ReadonlySet<string>> {
    const filled = new Set<string>();
    let served = crowded.delete(agent) ? null : await look(agent);
    while (served !== undefined) {
      const { queues, admitted, found } = await admitSome(agent, served);
      for (const queue of queues) filled.add(queue);
      if (admitted === BATCH) continue;
      if (served === null && found === 0) {
        served = await look(agent);
        continue;
      }
      if (found > admitted) crowded.add(agent);
      break;
    }
    return filled;
  }

  return {
    admit,
    async sweep() {
      await withdrawStranded(pool, servedSets);
      const short = await pool.query<{ agent: string }>(SHORT_AGENTS, [agentLimit, now()]);
      const queues = new Set<string>();
      for (const { agent } of short) for (const queue of await admit(agent)) queues.add(queue);
      for (const queue of await admitChecks()) queues.add(queue);
      const [next] = await pool.query<{ at: number | null }>(NEXT_DUE, [now()]);
      return { queues, nextDueAt: next?.at ?? null };
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

/** Returns the priority that the rank was made of: see stores/sql/rank.ts. */
function priorityOf(rank: number): number {
  return -Math.floor(rank / TURNS);
}
