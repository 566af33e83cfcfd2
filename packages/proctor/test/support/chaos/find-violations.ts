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
  const cramped = (await query(
    url,
    "select run_id from events where type = 'run.ended' and payload like '%WORKSPACE_FAILED%'",
  )) as { run_id: string }[];
  return [
    ...cramped.map(({ run_id }) => `run ${run_id} failed because its worker had no room`),
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
  // A worker that found no room on its disk has given it back.
  const given = log.filter(({ type }) => type === "session.parked").length;
  if (starts > given + 1) problems.push(`run ${run.id} was started ${starts} times and given back ${given}`);
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
    const changes = members.flatMap(({ id }) => changesOf(logs.get(id) ?? []));
    changes.sort((a, b) => a.at - b.at);
    let atOnce = 0;
    let most = 0;
    for (const { by } of changes) most = Math.max(most, (atOnce += by));
    if (most > agentLimit) problems.push(`${agent} had ${most} runs at once, and takes ${agentLimit}`);
  }
  return problems;
}

/** Where in the feed the run took a place of its agent, and where it left it. */
function changesOf(log: readonly EventRow[]): { at: number; by: number }[] {
  const changes: { at: number; by: number }[] = [];
  for (const [index, { type }] of log.entries()) {
    const hasPlace = changes.at(-1)?.by === 1;
    const leaves = type === "run.ended" || type === "session.parked";
    // Only the last event of an append has the position of it.
    const at = Number(log.slice(index).find(({ position }) => position !== null)?.position);
    if (type === "run.started") changes.push({ at, by: 1 });
    else if (leaves && hasPlace) changes.push({ at, by: -1 });
  }
  return changes;
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
