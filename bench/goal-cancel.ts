// How soon all agents are asked to stop when a goal is cancelled: 100 sub-tasks run on agents in this process.
import { openGoalHub } from "../packages/proctor/test/support/goals/goal-hub.ts";
import { median, type Result } from "./measure.ts";

const SUBTASKS = 100;
const ROUNDS = 5;

export async function bench(): Promise<Result> {
  const slowest: number[] = [];
  for (let round = 0; round < ROUNDS; round++) slowest.push(await cancelOnce());
  return {
    name: "goal-cancel",
    what: "from the request to cancel a goal until the last of 100 agents was asked to stop",
    value: median(slowest),
    bound: { atMost: 100 },
    unit: "ms",
    details: { "slowest round ms": Math.max(...slowest) },
  };
}

async function cancelOnce(): Promise<number> {
  const askedAt: number[] = [];
  let begun = 0;
  let allBegun = (): void => undefined;
  const ready = new Promise<void>((resolve) => (allBegun = resolve));
  const worker = {
    capabilities: ["work"],
    work: (_job: unknown, { cancel }: { cancel: AbortSignal }) =>
      new Promise<Record<string, never>>((resolve) => {
        cancel.addEventListener(
          "abort",
          () => {
            askedAt.push(performance.now());
            resolve({});
          },
          { once: true },
        );
        begun += 1;
        if (begun === SUBTASKS) allBegun();
      }),
  };
  const hub = await openGoalHub({ worker }, { concurrency: SUBTASKS + 1, agentConcurrency: SUBTASKS });
  try {
    const tasks = Array.from({ length: SUBTASKS }, (_, index) => ({ id: `t${index}`, capability: "work" }));
    const { goal } = await hub.goals.submit({ goal: "Stop", concurrency: SUBTASKS, plan: { tasks } });
    await ready;
    const startedAt = performance.now();
    await hub.hub.cancel(goal.id, "enough");
    await hub.ended(goal.id);
    if (askedAt.length !== SUBTASKS) throw new Error(`${askedAt.length} of ${SUBTASKS} were asked`);
    return Math.max(...askedAt) - startedAt;
  } finally {
    await hub.close();
  }
}
