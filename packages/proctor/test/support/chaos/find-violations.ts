// Reads the whole database after a chaos and says which promises were broken.
import { isTerminal, type RunStatus } from "../../../src/core/run.ts";
import { query } from "../postgres.ts";

interface RunRow {
  id: string;
  agent: string;
  status: RunStatus;
  next_sequence: string;
  admitted: string | null;
}

interface EventRow {
  run_id: string;
  sequence: string;
  type: string;
  /** Null but in the last event of each append. */
  position: string | null;
}

/** `acknowledged` are the ids of the runs that clients were promised; `agentLimit` is what each agent takes at once. */
export async function findViolations(
  url: string,
  acknowledged: ReadonlySet<string>,
  agentLimit: number,
): Promise<string[]> {
  // Rows are what the tables of Proctor hold.
  const runs = (await query(url, "select id, agent, status, next_sequence, admitted from runs")) as RunRow[];
  const events = (await query(
    url,
    "select run_id, sequence, type, position from events order by run_id, sequence",
  )) as EventRow[];
  const jobs = (await query(
    url,
    "select id, state::text as state from proctor_queue.job_common where name like 'runs%' and state < 'completed'",
  )) as { id: string; state: string }[];
  const lost = await query(url, "select id from proctor_queue.job_common where name = 'runs.lost'");
  const logs = groupBy(events, ({ run_id }) => run_id);
  const known = new Set(runs.map(({ id }) => id));
  const broken = (await query(
    url,
    "select run_id, payload from events where type = 'run.ended' and payload like '%INTERNAL_ERROR%'",
  )) as { run_id: string; payload: string }[];
  return [
    ...broken.map(({ run_id, payload }) => `run ${run_id} met a bug: ${payload}`),
    ...[...acknowledged].filter((id) => !known.has(id)).map((id) => `run ${id} was acknowledged and is gone`),
    ...runs.flatMap((run) => problemsOf(run, logs.get(run.id) ?? [])),
    ...tooManyAtOnce(runs, logs, agentLimit),
    ...jobs.map(({ id, state }) => `the job of run ${id} is still ${state}`),
    ...(lost.length === 0 ? [] : [`${lost.length} jobs were given up`]),
  ];
}

function problemsOf(run: RunRow, log: readonly EventRow[]): string[] {
  const problems: string[] = [];
  if (!isTerminal(run.status)) problems.push(`run ${run.id} is still ${run.status}`);
  if (run.admitted !== null) problems.push(`run ${run.id} still has a place`);
  if (log.some(({ sequence }, index) => Number(sequence) !== index))
    problems.push(`run ${run.id} has gaps in its log`);
  if (Number(run.next_sequence) !== log.length) problems.push(`run ${run.id} and its log disagree`);
  const ends = log.filter(({ type }) => type === "run.ended").length;
  const starts = log.filter(({ type }) => type === "run.started").length;
  if (starts > 1) problems.push(`run ${run.id} was started ${starts} times`);
  if (ends !== 1) problems.push(`run ${run.id} ended ${ends} times`);
  else if (log.at(-1)?.type !== "run.ended")
    problems.push(`something was written to run ${run.id} after its end`);
  return problems;
}

/**
 * By positions in the feed, for clocks may be wrong: an end has its position before its commit, and the next run of the agent starts after
 * that.
 */
function tooManyAtOnce(
  runs: readonly RunRow[],
  logs: ReadonlyMap<string, readonly EventRow[]>,
  agentLimit: number,
): string[] {
  const problems: string[] = [];
  for (const [agent, members] of groupBy(runs, (run) => run.agent)) {
    const changes = members.flatMap(({ id }) => {
      const log = logs.get(id) ?? [];
      const started = positionOf(log, "run.started");
      const ended = positionOf(log, "run.ended");
      if (started === undefined || ended === undefined) return [];
      return [
        { at: started, by: 1 },
        { at: ended, by: -1 },
      ];
    });
    changes.sort((a, b) => a.at - b.at);
    let atOnce = 0;
    let most = 0;
    for (const { by } of changes) most = Math.max(most, (atOnce += by));
    if (most > agentLimit) problems.push(`${agent} had ${most} runs at once, and takes ${agentLimit}`);
  }
  return problems;
}

/** That of the append which the first event of the type was a part of. */
function positionOf(log: readonly EventRow[], type: string): number | undefined {
  const first = log.findIndex((event) => event.type === type);
  const last = first < 0 ? undefined : log.slice(first).find(({ position }) => position !== null);
  return last === undefined ? undefined : Number(last.position);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
