import { afterEach, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { openGoalHub, type GoalHub, type WorkingAgent } from "../../../test/support/goals/goal-hub.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Run } from "../../core/run.ts";

let hub: GoalHub | undefined;

afterEach(async () => {
  await hub?.close();
  hub = undefined;
});

/** Holds its first run until it is let go. */
function oneAtATime(): { agent: WorkingAgent; release: () => void; begun: () => number } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let count = 0;
  const work: WorkingAgent["work"] = async () => {
    count += 1;
    await released;
    return {};
  };
  return {
    agent: { capabilities: [{ name: "work", idempotent: true }], work },
    release,
    begun: () => count,
  };
}

const tasks = ["first", "second"].map((id) => ({ id, capability: "work" }));

async function pausedInTheQueue(opened: GoalHub, begun: () => number): Promise<{ id: string; queued: Run }> {
  const { goal } = await opened.goals.submit({ goal: "Wait", plan: { tasks } });
  await eventually(async () => {
    expect(begun()).toBe(1);
    expect(await opened.children(goal.id)).toHaveLength(2);
  });
  await opened.hub.pause(goal.id);
  return eventually(async () => {
    const children = await opened.children(goal.id);
    // Also the one at work, which says so later.
    expect(children.map(({ status }) => status)).toEqual(["paused", "paused"]);
    const queued = children.find(({ started_at }) => started_at === null);
    if (queued === undefined) throw new Error("both have begun");
    return { id: goal.id, queued };
  });
}

it("A goal that is paused starts no run that waits in the queue, and lets it start when it is resumed", async () => {
  const { agent, release, begun } = oneAtATime();
  hub = await openGoalHub({ worker: agent }, { agentConcurrency: 1 });
  const { id, queued } = await pausedInTheQueue(hub, begun);

  release();
  const { run } = await hub.hub.submit({ agent: "worker", task: { description: "of somebody else" } });
  // The agent is free again for others, but not for the goal.
  await hub.hub.resume((await hub.children(id)).find((one) => one.id !== queued.id)?.id ?? "");
  await hub.ended(run.id);
  expect(await hub.hub.run(queued.id)).toMatchObject({ status: "paused", started_at: null });

  await hub.hub.resume(id);
  expect((await hub.ended(id)).status).toBe("completed");
  expect(begun()).toBe(3);
});

it("A goal that was paused when its hub stopped lets its queued runs start when it is resumed by the next", async () => {
  const { agent, release, begun } = oneAtATime();
  const folder = temporaryFolder("goal-paused");
  const options = { agentConcurrency: 1, folder, graceMs: 10 };
  hub = await openGoalHub({ worker: agent }, options);
  const { id, queued } = await pausedInTheQueue(hub, begun);
  release();
  await hub.close();

  hub = await openGoalHub({ worker: agent }, options);
  expect(await hub.hub.run(queued.id)).toMatchObject({ status: "paused", started_at: null });
  await hub.hub.resume(id);
  expect((await hub.ended(id)).status).toBe("completed");
  expect(await hub.hub.run(queued.id)).toMatchObject({ status: "completed" });
});
