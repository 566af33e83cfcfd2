// Goals, agents, planners and clients that do what they should not.
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { expectError } from "../../../test/support/expect-error.ts";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { openGoalHub, type GoalHub, type WorkingAgent } from "../../../test/support/goals/goal-hub.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { GoalRequest } from "../../core/goal.ts";
import type { PlanTask } from "../../core/plan.ts";

const hubs: GoalHub[] = [];

afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.close();
});

async function open(...given: Parameters<typeof openGoalHub>): Promise<GoalHub> {
  const hub = await openGoalHub(...given);
  hubs.push(hub);
  return hub;
}

const echo: WorkingAgent = { capabilities: ["echo"], work: (job) => job.task.input_data ?? {} };
const one = (task: Partial<PlanTask>): GoalRequest => ({
  goal: "Try",
  plan: { tasks: [{ id: "a", agent: "echo", ...task }] },
});

describe("a plan that cannot be carried out", () => {
  it.each<[string, PlanTask[], RegExp]>([
    [
      "a circle",
      [
        { id: "a", agent: "echo", dependsOn: ["b"] },
        { id: "b", agent: "echo", input: { x: "${tasks.a.output}" } },
      ],
      /tasks wait for each other: a → b → a/,
    ],
    ["a capability that nobody has", [{ id: "a", capability: "fly" }], /no agent has the capability "fly"/],
    [
      "a reference to nothing",
      [{ id: "a", agent: "echo", input: { x: "${tasks.z.output}" } }],
      /no task "z"/,
    ],
    [
      "100,000 tasks",
      Array.from({ length: 100_000 }, (_, index) => ({ id: `t${index}`, agent: "echo" })),
      /at most 20000 tasks, and this one 100000/,
    ],
  ])("because of %s is refused before there is a goal", async (_, tasks, message) => {
    const hub = await open({ echo });
    await expectError(hub.goals.submit({ goal: "Try", plan: { tasks } }), "PLAN_INVALID", message);
    expect((await hub.hub.runs({ limit: 10 })).items).toEqual([]);
  });

  it.each([
    ["seconds", { seconds: 0 }],
    ["tokens", { tokens: 0 }],
    ["cost_usd", { cost_usd: 0 }],
    ["runs", { runs: 0 }],
  ])("because it may use up nothing of its %s is refused", async (name, budget) => {
    const hub = await open({ echo });
    await expectError(
      hub.goals.submit({ ...one({}), budget }),
      "INVALID_REQUEST",
      new RegExp(`budget.${name}`),
    );
  });
});

describe("what an agent yields", () => {
  it("is data wherever it is inserted, though it looks like a reference", async () => {
    const liar: WorkingAgent = {
      work: () => ({ said: "${tasks.secret.output.key}", "${goal}": "${params.p}" }),
    };
    const secret: WorkingAgent = { work: () => ({ key: "s3cret" }) };
    const hub = await open({ liar, secret, echo });
    const { id } = await hub.reach({
      goal: "Read ${tasks.secret.output.key}",
      params: { p: "${tasks.secret.output.key}" },
      plan: {
        tasks: [
          { id: "secret", agent: "secret" },
          { id: "lie", agent: "liar", dependsOn: ["secret"] },
          {
            id: "a",
            agent: "echo",
            description: "${goal} ${tasks.lie.output.said}",
            input: { all: "${tasks.lie.output}", p: "${params.p}", text: "<${tasks.lie.output.said}>" },
          },
        ],
        output: "${tasks.a.output}",
      },
    });
    expect(JSON.stringify(await hub.output(id))).not.toContain("s3cret");
    expect(await hub.output(id)).toMatchObject({ text: "<${tasks.secret.output.key}>" });
    const told = (await hub.children(id)).at(-1)?.task.description;
    expect(told).toBe("Read ${tasks.secret.output.key} ${tasks.secret.output.key}");
  });

  it("is refused where it has another shape than its capability promises", async () => {
    const capability = {
      name: "count",
      returns: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    };
    const shapeless: WorkingAgent = { capabilities: [capability], work: () => ({ n: "many" }) };
    const hub = await open({ shapeless });
    const { goal } = await hub.goals.submit({
      goal: "Count",
      plan: { tasks: [{ id: "a", capability: "count", review: { human: true, rounds: 0 } }] },
    });
    await eventually(async () => {
      const { items } = await hub.goals.subtasks(goal.id, {});
      expect(items[0]?.attempts[0]?.failure?.code ?? items[0]?.attempts[0]?.reviews[0]?.verdict).toMatch(
        /INVALID_RESPONSE|retry|escalate/,
      );
    });
    await hub.hub.cancel(goal.id, "seen");
    await hub.ended(goal.id);
    expect((await hub.goals.get(goal.id)).counts.completed).toBe(0);
  });
});

describe("an agent that", { timeout: HANG_MS }, () => {
  it("never answers is stopped at the time of its task, and the goal says so", async () => {
    const silent: WorkingAgent = {
      work: (_job, { cancel }) =>
        new Promise((_resolve, reject) =>
          cancel.addEventListener("abort", () => reject(new Error("stopped")), { once: true }),
        ),
    };
    const hub = await open({ echo: silent });
    const goal = await hub.reach(one({ timeout_seconds: 1 }));
    expect(goal).toMatchObject({ status: "failed", counts: { failed: 1 } });
    expect(goal.failure?.message).toContain("TIMEOUT");
  });

  it("answers twice has its sub-task settled once", async () => {
    const hub = await open({ echo });
    const program = fileURLToPath(
      new URL("../../../test/fixtures/agents/two-responses.mjs", import.meta.url),
    );
    const command = [process.execPath, program];
    await hub.hub.addAgent({ name: "double", protocol: "atp", transport: "stdio", command });
    const { id, status } = await hub.reach(one({ agent: "double" }));
    expect(status).toBe("completed");
    expect((await hub.log(id)).filter(({ type }) => type === "subtask.settled")).toHaveLength(1);
    expect(await hub.children(id)).toMatchObject([{ status: "completed" }]);
  });

  it("answers after the deadline is not heard any more", async () => {
    const late: WorkingAgent = {
      work: (_job, { cancel }) =>
        new Promise((resolve) =>
          cancel.addEventListener("abort", () => resolve({ late: true }), { once: true }),
        ),
    };
    const hub = await open({ echo: late });
    const goal = await hub.reach({ ...one({ timeout_seconds: 1, on_failure: "continue" }) });
    expect(goal).toMatchObject({ status: "partial", counts: { failed: 1, completed: 0 } });
    expect((await hub.goals.subtasks(goal.id, {})).items).toMatchObject([{ output_run_id: null }]);
  });

  it("plans again and again what it was asked to plan is stopped", async () => {
    const hub = await open({});
    await hub.hub.addAgent({
      name: "loop",
      protocol: "goal",
      transport: "builtin",
      command: ["goal"],
      capabilities: [{ name: "plan" }],
      options: { planner: "loop" },
    });
    const goal = await hub.reach({ goal: "Plan a plan", planner: "loop" });
    expect(goal.status).toBe("failed");
    expect(goal.spent.runs).toBeLessThan(20);
    expect(JSON.stringify(goal.failure)).toMatch(/LOOP_DETECTED|nested|further up/);
  });

  it("plans for agents that only people may name is refused", async () => {
    const planner: WorkingAgent = {
      capabilities: ["plan"],
      work: () => ({ tasks: [{ id: "a", agent: "atp+stdio:rm -rf x" }] }),
    };
    const hub = await open({ planner });
    const goal = await hub.reach({ goal: "Do it" });
    expect(goal).toMatchObject({ status: "failed", failure: { code: "PLAN_FAILED" } });
    expect(goal.failure?.message).toContain("not an address");
  });
});

describe("a goal in a goal", () => {
  it("has a budget of runs of its own, whatever the tree around it has used", async () => {
    const hub = await open({ echo });
    const tasks = ["x", "y"].map((id) => ({ id, agent: "echo" }));
    await hub.hub.addAgent({
      name: "team",
      protocol: "goal",
      transport: "builtin",
      command: ["goal"],
      options: { plan: { tasks }, budget: { runs: 2 } },
    });
    const before = Array.from({ length: 4 }, (_, index) => ({ id: `t${index}`, agent: "echo" }));
    const plan = {
      tasks: [...before, { id: "team", agent: "team", dependsOn: before.map(({ id }) => id) }],
    };
    expect(await hub.reach({ goal: "Nest", plan })).toMatchObject({ status: "completed" });
  });
});

describe("two executors of one goal", () => {
  it("cannot be: a second hub on the same store carries out nothing that the first one has", async () => {
    const folder = temporaryFolder("two-executors");
    let begun = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow: WorkingAgent = {
      capabilities: [{ name: "work", idempotent: true }],
      async work() {
        begun += 1;
        await released;
        return {};
      },
    };
    const first = await open({ worker: slow }, { folder, worker: "first", shared: true });
    const { goal } = await first.goals.submit({
      goal: "Once",
      plan: { tasks: ["a", "b"].map((id) => ({ id, capability: "work" })) },
    });
    await eventually(() => expect(begun).toBe(2));
    const second = await open({ worker: slow }, { folder, worker: "second", shared: true });
    release();
    expect((await first.ended(goal.id)).status).toBe("completed");
    expect(begun).toBe(2);
    const started = (await second.log(goal.id)).filter(({ type }) => type === "run.started");
    expect(started).toHaveLength(1);
    expect(await second.children(goal.id)).toHaveLength(2);
  });
});
