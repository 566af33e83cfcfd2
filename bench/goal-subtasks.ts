// What a goal costs beyond its runs: 1,000 independent sub-tasks on an agent in this process against the same runs without a goal, and the
// same as a chain and as a wide graph of 10,000. Also, how soon a hub that restarts in the middle of a goal continues it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GoalRequest } from "../packages/proctor/src/core/goal.ts";
import type { PlanTask } from "../packages/proctor/src/core/plan.ts";
import { openGoalHub, type GoalHub } from "../packages/proctor/test/support/goals/goal-hub.ts";
import { inTurns, type Result } from "./measure.ts";

const SUBTASKS = 1000;
const MANY = 10_000;
const AT_ONCE = 50;

const agents = { worker: { capabilities: [{ name: "work", idempotent: true }], work: () => ({}) } };
const limits = { concurrency: AT_ONCE, agentConcurrency: AT_ONCE };

export async function bench(): Promise<Result[]> {
  const hub = await openGoalHub(agents, limits);
  try {
    const { bare, ours } = await inTurns(
      5,
      () => cpuOf(() => runs(hub, SUBTASKS)),
      () => cpuOf(() => reach(hub, independent(SUBTASKS))),
    );
    const chain = await costs(hub, chained);
    const wide = await costs(hub, layered);
    return [
      {
        name: "goal-subtasks",
        what: "CPU of a sub-task beyond its run, 1,000 of them at once",
        value: (ours - bare) / SUBTASKS,
        bound: { atMost: 3 },
        unit: "ms",
        details: { "its run ms": bare / SUBTASKS, ratio: ours / bare },
      },
      growth("goal-chain", "CPU per task of a chain of 10,000 against one of 1,000", chain),
      growth("goal-graph", "CPU per task of a graph of 10,000 against one of 1,000", wide),
      await resumed(),
    ];
  } finally {
    await hub.close();
  }
}

function growth(name: string, what: string, { small, large, heapMb }: Cost): Result {
  return {
    name,
    what,
    value: large / small,
    bound: { atMost: 1.5 },
    unit: "ratio",
    details: { "small ms": small, "large ms": large, "heap after MB": heapMb },
  };
}

interface Cost {
  small: number;
  large: number;
  heapMb: number;
}

async function costs(hub: GoalHub, shape: (count: number) => PlanTask[]): Promise<Cost> {
  const small = (await cpuOf(() => reach(hub, shape(SUBTASKS)))) / SUBTASKS;
  const large = (await cpuOf(() => reach(hub, shape(MANY)))) / MANY;
  globalThis.gc?.();
  return { small, large, heapMb: process.memoryUsage().heapUsed / 1024 / 1024 };
}

/** Measures the time from the start of the hub to the first sub-task that begins. */
async function resumed(): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-bench-goal-"));
  try {
    const before = await openGoalHub(agents, { ...limits, folder });
    const { goal } = await before.goals.submit(requestOf(independent(MANY)));
    let settled = 0;
    await before.until(goal.id, ({ type }) => type === "subtask.settled" && ++settled === MANY / 2);
    await before.close();
    const startedAt = performance.now();
    const after = await openGoalHub(agents, { ...limits, folder });
    try {
      const { length } = await after.log(goal.id);
      for await (const event of after.hub.follow(goal.id, length - 1, new AbortController().signal))
        if (event.type === "subtask.started") break;
      return {
        name: "goal-resume",
        what: "from the start of a hub until a half-finished goal of 10,000 continues",
        value: performance.now() - startedAt,
        bound: { atMost: 5000 },
        unit: "ms",
        details: { events: length },
      };
    } finally {
      await after.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const task = (number: number, dependsOn: string[] = []): PlanTask => ({
  id: `t${number}`,
  capability: "work",
  ...(dependsOn.length > 0 && { dependsOn }),
});

function independent(count: number): PlanTask[] {
  return Array.from({ length: count }, (_, number) => task(number));
}

function chained(count: number): PlanTask[] {
  return Array.from({ length: count }, (_, number) => task(number, number === 0 ? [] : [`t${number - 1}`]));
}

/** Builds layers of a hundred tasks, each of which waits for ten tasks of the layer before it. */
function layered(count: number): PlanTask[] {
  return Array.from({ length: count }, (_, number) => {
    const before = Math.floor(number / 100) * 100 - 100;
    const others = Array.from({ length: 10 }, (_each, index) => `t${before + ((number + index * 7) % 100)}`);
    return task(number, before < 0 ? [] : [...new Set(others)]);
  });
}

function requestOf(tasks: PlanTask[]): GoalRequest {
  return { goal: "Do it", concurrency: AT_ONCE, plan: { tasks } };
}

async function reach(hub: GoalHub, tasks: PlanTask[]): Promise<void> {
  const { status, failure } = await hub.reach(requestOf(tasks));
  if (status !== "completed") throw new Error(`the goal is ${status}: ${failure?.message ?? ""}`);
}

async function runs(hub: GoalHub, count: number): Promise<void> {
  const request = {
    agent: "worker",
    task: { description: "Do it", input_data: {} },
    options: { capability: "work" },
  };
  const submitted = await Promise.all(Array.from({ length: count }, () => hub.hub.submit(request)));
  for (const { run } of submitted) await hub.ended(run.id);
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
