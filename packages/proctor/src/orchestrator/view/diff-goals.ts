// How two executions differ, task by task.
import { canonicalJson } from "../../core/canonical-json.ts";
import type { GoalState, SubtaskState } from "../../core/fold-goal.ts";
import type { GoalDiff, TaskDiff } from "../../core/goal.ts";
import type { Json } from "../../core/json.ts";
import { tokensOf } from "../../core/metrics.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Run } from "../../core/run.ts";
import { readOutput } from "../execute/read-output.ts";

type DiffHub = Pick<Hub, "run" | "messages" | "readArtifact">;

interface Side {
  state: SubtaskState | undefined;
  run: Run | undefined;
  output: Json;
}

export async function diffGoals(
  hub: DiffHub,
  [first, before]: [string, GoalState],
  [second, after]: [string, GoalState],
): Promise<GoalDiff> {
  const keys = new Set([...before.subtasks.keys(), ...after.subtasks.keys()]);
  const tasks: TaskDiff[] = [];
  for (const key of keys) {
    const sides = [await sideOf(hub, before, key), await sideOf(hub, after, key)] as const;
    const compared = compare(key, sides);
    if (compared !== undefined) tasks.push(compared);
  }
  return { goals: [first, second], tasks, equal: keys.size - tasks.length };
}

async function sideOf(hub: DiffHub, { subtasks }: GoalState, key: string): Promise<Side> {
  const state = subtasks.get(key);
  const runId = state?.outputRunId ?? state?.attempts.at(-1)?.run_id;
  if (runId === undefined || runId === null) return { state, run: undefined, output: null };
  // A run that was removed meanwhile has no output to compare.
  const run = await hub.run(runId).catch(() => undefined);
  return { state, run, output: run?.status === "completed" ? await readOutput(hub, run) : null };
}

/** Returns undefined where only the duration differs. */
function compare(key: string, [one, other]: readonly [Side, Side]): TaskDiff | undefined {
  // A task that was taken over has the same run.
  if (one.run !== undefined && one.run.id === other.run?.id) return undefined;
  const both = <T>(read: (side: Side) => T): [T, T] => [read(one), read(other)];
  const difference: TaskDiff = {
    key,
    status: both(({ state }) => state?.status ?? null),
    agent: both(({ run, state }) => run?.agent ?? state?.attempts.at(-1)?.agent ?? null),
    attempts: both(({ state }) => state?.attempts.length ?? 0),
    output: both(({ output }) => output),
    seconds: both(({ run }) => secondsOf(run)),
    cost_usd: both(({ run }) => run?.metrics.cost_usd ?? null),
    tokens: both(({ run }) => (run ? (tokensOf(run.metrics) ?? null) : null)),
  };
  const { status, agent, attempts, output } = difference;
  const isEqual =
    [status, agent, attempts].every(([a, b]) => a === b) &&
    canonicalJson(output[0]) === canonicalJson(output[1]);
  return isEqual ? undefined : difference;
}

function secondsOf(run: Run | undefined): number | null {
  if (run?.started_at == null || run.ended_at === null) return null;
  return (Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000;
}
