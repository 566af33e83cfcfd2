import { afterEach, describe, expect, it } from "vitest";
import { openGoalHub, type GoalHub, type WorkingAgent } from "../../../test/support/goals/goal-hub.ts";
import { failure } from "../../core/failure.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Job } from "../../core/ports/driver.ts";

let hub: GoalHub | undefined;

afterEach(async () => {
  await hub?.close();
  hub = undefined;
});

async function open(agents: Record<string, WorkingAgent>): Promise<GoalHub> {
  hub = await openGoalHub(agents);
  return hub;
}

function input(job: Job): JsonObject {
  return job.task.input_data ?? {};
}

const adder: WorkingAgent = {
  capabilities: ["add"],
  work: (job) => ({ sum: Number(input(job)["a"]) + Number(input(job)["b"]) }),
};
const echo: WorkingAgent = { capabilities: ["echo"], work: (job) => input(job) };

describe("a goal with a given plan", () => {
  it("is carried out in the order of its dependencies, with outputs as inputs", async () => {
    const { reach, output, children, problems } = await open({ adder, echo });
    const goal = await reach({
      goal: "Add things",
      plan: {
        tasks: [
          { id: "one", capability: "add", input: { a: 1, b: 2 } },
          { id: "two", capability: "add", input: { a: 10, b: 20 } },
          {
            id: "both",
            capability: "add",
            input: { a: "${tasks.one.output.sum}", b: "${tasks.two.output.sum}" },
          },
        ],
      },
    });
    expect(goal).toMatchObject({ status: "completed", counts: { completed: 3, waiting: 0 }, failure: null });
    expect(await output(goal.id)).toEqual({ sum: 33 });
    const runs = await children(goal.id);
    expect(
      runs.map(({ status, agent, root_id, trace_id }) => ({ status, agent, root_id, trace_id })),
    ).toEqual(
      Array.from({ length: 3 }, () => ({
        status: "completed",
        agent: "adder",
        root_id: goal.id,
        trace_id: goal.trace_id,
      })),
    );
    expect(problems).toEqual([]);
  });

  it("carries out a foreach once for each item, skips what does not hold, and joins", async () => {
    const { reach, output } = await open({ adder, echo });
    const goal = await reach({
      goal: "Sums",
      params: { list: [1, 2, 3], extra: false },
      plan: {
        tasks: [
          {
            id: "each",
            capability: "add",
            foreach: "${params.list}",
            input: { a: "${item}", b: "${index}" },
          },
          { id: "extra", capability: "echo", when: "${params.extra}", input: { x: 1 } },
          {
            id: "end",
            capability: "echo",
            dependsOn: ["extra"],
            input: { sums: "${tasks.each.output}", extra: "${tasks.extra.output}" },
          },
        ],
      },
    });
    expect(goal).toMatchObject({ status: "completed", counts: { completed: 4, skipped: 1 } });
    expect(await output(goal.id)).toEqual({ sums: [{ sum: 1 }, { sum: 3 }, { sum: 5 }], extra: null });
  });

  it("tries again after a failure that is worth it, and at another agent where there is one", async () => {
    const tried: string[] = [];
    const flaky = (name: string, fails: boolean): WorkingAgent => ({
      capabilities: ["work"],
      work: () => {
        tried.push(name);
        if (fails) throw failure("NO_RESPONSE", "it said nothing");
        return { by: name };
      },
    });
    const { reach, output, goals } = await open({
      first: flaky("first", true),
      second: flaky("second", false),
    });
    const goal = await reach({
      goal: "Work",
      plan: {
        tasks: [{ id: "work", capability: "work", retry: { max_attempts: 3, initial_delay_ms: 1 } }],
      },
    });
    expect(goal.status).toBe("completed");
    expect(await output(goal.id)).toEqual({ by: "second" });
    expect(new Set(tried).size).toBe(tried.length);
    const { items } = await goals.subtasks(goal.id, {});
    expect(items[0]?.attempts.length).toBe(tried.length);
  });

  it("fails at the first task that fails for good, and stops the others", async () => {
    let stopped = false;
    const { reach, goals } = await open({
      bad: {
        capabilities: ["bad"],
        work: () => {
          throw failure("AGENT_FAILED", "no");
        },
      },
      slow: {
        capabilities: ["slow"],
        work: (_job, { cancel }) =>
          new Promise<Json>((_resolve, reject) => {
            const stop = (): void => {
              stopped = true;
              reject(failure("CANCELLED", "stopped"));
            };
            if (cancel.aborted) stop();
            cancel.addEventListener("abort", stop);
          }),
      },
    });
    const goal = await reach({
      goal: "Fail",
      plan: {
        tasks: [
          { id: "slow", capability: "slow" },
          { id: "bad", capability: "bad" },
          { id: "never", capability: "slow", dependsOn: ["bad"] },
        ],
      },
    });
    expect(goal).toMatchObject({ status: "failed", failure: { code: "SUBTASK_FAILED" } });
    expect(goal.failure?.message).toContain("bad: AGENT_FAILED: no");
    const { items } = await goals.subtasks(goal.id, {});
    expect(items.map(({ key, status }) => [key, status])).toEqual([
      ["slow", "cancelled"],
      ["bad", "failed"],
      ["never", "cancelled"],
    ]);
    if (stopped) expect(items[0]?.attempts[0]?.stop_ms).toBeGreaterThanOrEqual(0);
  });
});

describe("a goal whose tasks fail", () => {
  const failing: WorkingAgent = {
    capabilities: ["work"],
    work: () => {
      throw failure("AGENT_FAILED", "no");
    },
  };

  it("goes on without a task whose policy is to continue, and ends as partial", async () => {
    const { reach, goals } = await open({ failing, echo });
    const goal = await reach({
      goal: "Go on",
      plan: {
        tasks: [
          { id: "bad", capability: "work", on_failure: "continue" },
          { id: "after", capability: "echo", dependsOn: ["bad"] },
          { id: "good", capability: "echo", input: { x: 1 } },
        ],
      },
    });
    expect(goal).toMatchObject({ status: "partial", counts: { failed: 1, skipped: 1, completed: 1 } });
    const { items } = await goals.subtasks(goal.id, {});
    expect(items[1]).toMatchObject({
      status: "skipped",
      reason: '"bad", which it waits for, did not end well',
    });
  });

  it("goes to the fallback that a task names", async () => {
    const { reach, output, goals } = await open({ failing, echo });
    const goal = await reach({
      goal: "Fall back",
      plan: {
        tasks: [
          {
            id: "work",
            capability: "work",
            input: { x: 1 },
            on_failure: "fallback",
            fallback: { agent: "echo" },
          },
        ],
      },
    });
    expect(goal.status).toBe("completed");
    expect(await output(goal.id)).toEqual({ x: 1 });
    const { items } = await goals.subtasks(goal.id, {});
    expect(items[0]?.attempts.map(({ agent, route }) => [agent, route?.by])).toEqual([
      ["failing", "score"],
      ["echo", "fallback"],
    ]);
  });

  it("undoes what was done, the newest first, where the policy is to compensate", async () => {
    const undone: Json[] = [];
    const { reach, goals } = await open({
      failing,
      echo,
      undoer: {
        capabilities: ["undo"],
        work: (job) => {
          undone.push(input(job)["what"] ?? null);
          return null;
        },
      },
    });
    const undo = { capability: "undo", input: { what: "${tasks.first.output.name}" } };
    const goal = await reach({
      goal: "Undo",
      plan: {
        tasks: [
          { id: "first", capability: "echo", input: { name: "one" }, compensate: undo },
          {
            id: "second",
            capability: "echo",
            dependsOn: ["first"],
            input: { name: "two" },
            compensate: { capability: "undo", input: { what: "${tasks.second.output.name}" } },
          },
          { id: "bad", capability: "work", dependsOn: ["second"], on_failure: "compensate" },
        ],
      },
    });
    expect(goal).toMatchObject({ status: "failed", counts: { compensated: 2, failed: 1 } });
    expect(undone).toEqual(["two", "one"]);
    const { items } = await goals.subtasks(goal.id, {});
    expect(items[0]?.reason).toBe("it was undone, because another task failed");
  });

  it("stops at its budget of runs", async () => {
    const { reach, children } = await open({ echo });
    const goal = await reach({
      goal: "Too many",
      budget: { runs: 2 },
      concurrency: 1,
      plan: { tasks: ["a", "b", "c"].map((id) => ({ id, capability: "echo", input: { id } })) },
    });
    expect(goal).toMatchObject({ status: "failed", failure: { code: "BUDGET_EXCEEDED" } });
    expect(await children(goal.id)).toHaveLength(2);
  });

  it("is refused where the plan cannot be carried out", async () => {
    const { goals } = await open({ echo });
    const submit = (plan: object) => goals.submit({ goal: "x", plan: plan as never });
    await expect(submit({ tasks: [{ id: "a", capability: "nothing" }] })).rejects.toMatchObject({
      code: "PLAN_INVALID",
      details: [{ path: "tasks[0].capability" }],
    });
    await expect(
      submit({
        tasks: [
          { id: "a", capability: "echo", dependsOn: ["b"] },
          { id: "b", capability: "echo", dependsOn: ["a"] },
        ],
      }),
    ).rejects.toMatchObject({ code: "PLAN_INVALID" });
    await expect(goals.submit({ goal: "x", budget: { runs: 0 } })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });
});

describe("a goal that an agent plans", () => {
  const tasks = [{ id: "say", capability: "echo", input: { text: "${goal}" } }];

  it("is planned by whoever can, who is told what there is to do it with", async () => {
    const told: JsonObject[] = [];
    const planner: WorkingAgent = {
      capabilities: ["plan"],
      work: (job) => {
        told.push(input(job));
        return { tasks };
      },
    };
    const { reach, output } = await open({ planner, echo });
    const goal = await reach({ goal: "Say it" });
    expect(goal).toMatchObject({ status: "completed", plan: { source: "agent", refused: 0 } });
    expect(await output(goal.id)).toEqual({ text: "Say it" });
    expect(told[0]).toMatchObject({ goal: "Say it" });
    expect(told[0]?.["capabilities"]).toContainEqual({ name: "echo" });
  });

  it("tells the planner what is wrong with its plan, and gives up after three", async () => {
    const problems: Json[] = [];
    const planner: WorkingAgent = {
      capabilities: ["plan"],
      work: (job) => {
        problems.push(input(job)["problems"] ?? null);
        return { tasks: [{ id: "a", capability: "echo", dependsOn: ["nobody"] }] };
      },
    };
    const { reach, children } = await open({ planner, echo });
    const goal = await reach({ goal: "Plan badly", planner: "planner" });
    expect(goal).toMatchObject({ status: "failed", failure: { code: "PLAN_FAILED" } });
    expect(await children(goal.id)).toHaveLength(3);
    expect(problems[0]).toBeNull();
    expect(problems[1]).toMatchObject([{ path: "tasks[0].dependsOn[0]" }]);
  });
});

describe("a goal that waits for a person", () => {
  it("shows its plan first, and does nothing before it is approved", async () => {
    const { goals, hub: runs, until, ended, children } = await open({ echo });
    const request = {
      goal: "Ask first",
      approve_plan: true,
      plan: { tasks: [{ id: "say", capability: "echo", input: { x: 1 } }] },
    };
    const { goal } = await goals.submit(request);
    await until(goal.id, ({ type }) => type === "question.asked");
    const { items } = await runs.questions({});
    expect(items).toMatchObject([
      {
        run_id: goal.id,
        question: { kind: "approval", audience: "human", subject: { tasks: 1, goal: "Ask first" } },
      },
    ]);
    expect(await children(goal.id)).toEqual([]);
    await runs.answer(goal.id, { question_id: "plan", option: "allow", by: { kind: "human", name: "ada" } });
    expect(await ended(goal.id)).toMatchObject({ status: "completed" });
    const { goal: other } = await goals.submit(request);
    await until(other.id, ({ type }) => type === "question.asked");
    await runs.answer(other.id, { question_id: "plan", outcome: "declined", by: { kind: "human" } });
    expect(await ended(other.id)).toMatchObject({ status: "failed", failure: { code: "PLAN_FAILED" } });
  });
});

describe("a goal that is stopped", () => {
  it("asks every run to stop, and says how long each took", async () => {
    const {
      goals,
      hub: runs,
      ended,
      until,
    } = await open({
      slow: {
        capabilities: ["slow"],
        work: (_job, { cancel }) =>
          new Promise<Json>((_resolve, reject) => {
            const stop = (): void => reject(failure("CANCELLED", "stopped"));
            if (cancel.aborted) stop();
            cancel.addEventListener("abort", stop);
          }),
      },
    });
    const ids = ["a", "b", "c"];
    const { goal } = await goals.submit({
      goal: "Stop",
      plan: {
        tasks: [
          ...ids.map((id) => ({ id, capability: "slow" })),
          { id: "after", capability: "slow", dependsOn: ids },
        ],
      },
    });
    let started = 0;
    await until(goal.id, ({ type }) => type === "subtask.started" && ++started === 3);
    await runs.cancel(goal.id, "enough");
    expect(await ended(goal.id)).toMatchObject({ status: "cancelled" });
    const { items } = await goals.subtasks(goal.id, {});
    expect(items.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
    for (const { attempts } of items.slice(0, 3)) expect(attempts[0]?.stop_ms).toBeGreaterThanOrEqual(0);
    expect(await runs.tally(goal.id)).toMatchObject({ live: 0, runs: 4 });
  });
});
