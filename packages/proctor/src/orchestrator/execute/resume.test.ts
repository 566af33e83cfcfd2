import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openGoalHub, type GoalHub, type WorkingAgent } from "../../../test/support/goals/goal-hub.ts";
import { failure } from "../../core/failure.ts";
import type { Json } from "../../core/json.ts";
import type { Job } from "../../core/ports/driver.ts";
import { isTerminal } from "../../core/run.ts";

let folder = "";
let hub: GoalHub | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-resume-"));
});

afterEach(async () => {
  await hub?.close();
  hub = undefined;
  await rm(folder, { recursive: true, force: true });
});

function idOf({ task }: Job): string {
  const id = task.input_data?.["id"];
  return typeof id === "string" ? id : "";
}

/** Counts how often each piece of work was finished; the rest hangs until it is stopped. */
function counting(finishes: (id: string) => boolean, idempotent: boolean) {
  const done = new Map<string, number>();
  const agent: WorkingAgent = {
    capabilities: [{ name: "work", idempotent }],
    work(job, { cancel, kill }) {
      const id = idOf(job);
      if (finishes(id)) {
        done.set(id, (done.get(id) ?? 0) + 1);
        return { id };
      }
      return new Promise<Json>((_resolve, reject) => {
        const stop = (): void => reject(failure("CANCELLED", "stopped"));
        for (const signal of [cancel, kill]) signal.addEventListener("abort", stop, { once: true });
      });
    },
  };
  return { agent, done };
}

const ids = ["a", "b", "c", "d"];
const plan = {
  tasks: [
    ...ids.map((id) => ({ id, capability: "work", input: { id } })),
    { id: "end", capability: "work", dependsOn: ids, input: { id: "end" } },
  ],
};

describe("a goal whose hub is stopped", () => {
  it("goes on when the hub starts again, and does nothing again that was finished", async () => {
    const before = counting((id) => id === "a" || id === "b", true);
    hub = await openGoalHub({ worker: before.agent }, { folder });
    const { goal } = await hub.goals.submit({ goal: "Go on", plan });
    let settled = 0;
    await hub.until(goal.id, ({ type }) => type === "subtask.settled" && ++settled === 2);
    await hub.close();

    const after = counting(() => true, true);
    hub = await openGoalHub({ worker: after.agent }, { folder });
    const run = await hub.ended(goal.id);
    expect(run).toMatchObject({ status: "completed", failure: null });
    expect(Object.fromEntries(before.done)).toEqual({ a: 1, b: 1 });
    expect(Object.fromEntries(after.done)).toEqual({ c: 1, d: 1, end: 1 });
    const log = await hub.log(goal.id);
    const finished = log
      .filter((event) => event.type === "subtask.settled")
      .map((event) => event.payload.key);
    expect(finished.toSorted()).toEqual(["a", "b", "c", "d", "end"]);
    const live = (await hub.children(goal.id)).filter(({ status }) => !isTerminal(status));
    expect(live).toEqual([]);
  });

  it("asks a person before it does again what may do harm twice", async () => {
    const before = counting((id) => id !== "c", false);
    hub = await openGoalHub({ worker: before.agent }, { folder });
    const { goal } = await hub.goals.submit({ goal: "Careful", plan });
    let settled = 0;
    await hub.until(goal.id, ({ type }) => type === "subtask.settled" && ++settled === 3);
    await hub.close();

    const after = counting(() => true, false);
    hub = await openGoalHub({ worker: after.agent }, { folder });
    const asked = await hub.until(goal.id, ({ type }) => type === "question.asked");
    expect(asked).toMatchObject({ payload: { question: { subject: { lost: "c", agent: "worker" } } } });
    expect(after.done.size).toBe(0);
    await hub.hub.answer(goal.id, { question_id: "lost:c:1", option: "allow", by: { kind: "human" } });
    expect(await hub.ended(goal.id)).toMatchObject({ status: "completed" });
    expect(Object.fromEntries(after.done)).toEqual({ c: 1, end: 1 });
  });
});

describe("a goal with a task that failed before its hub stopped", () => {
  it("still fails when the hub starts again, begins nothing more, and undoes again what was interrupted", async () => {
    const begun: string[] = [];
    let hangs = true;
    const agent: WorkingAgent = {
      capabilities: ["work"],
      work(job, { cancel, kill }) {
        const id = idOf(job);
        begun.push(id);
        if (id === "bad") throw failure("AGENT_FAILED", "it cannot be done");
        if (id !== "undo" || !hangs) return { id };
        return new Promise<Json>((_resolve, reject) => {
          const stop = (): void => reject(failure("CANCELLED", "stopped"));
          for (const signal of [cancel, kill]) signal.addEventListener("abort", stop, { once: true });
        });
      },
    };
    hub = await openGoalHub({ worker: agent }, { folder });
    const compensate = { agent: "worker", input: { id: "undo" } };
    const { goal } = await hub.goals.submit({
      goal: "Undo",
      concurrency: 1,
      plan: {
        tasks: [
          { id: "good", capability: "work", input: { id: "good" }, compensate },
          {
            id: "bad",
            capability: "work",
            input: { id: "bad" },
            on_failure: "compensate",
            dependsOn: ["good"],
          },
          { id: "next", capability: "work", input: { id: "next" }, dependsOn: ["good"] },
        ],
      },
    });
    await hub.until(
      goal.id,
      (event) => event.type === "subtask.started" && event.payload.purpose === "compensate",
    );
    await hub.close();

    hangs = false;
    hub = await openGoalHub({ worker: agent }, { folder });
    const run = await hub.ended(goal.id);
    expect(run).toMatchObject({ status: "failed", failure: { code: "SUBTASK_FAILED" } });
    expect(run.failure?.details).not.toHaveProperty("not_undone");
    expect(begun).toEqual(["good", "bad", "undo", "undo"]);
    const { items } = await hub.goals.subtasks(goal.id, {});
    expect(items.find(({ key }) => key === "good")).toMatchObject({ status: "compensated" });
    const undone = (await hub.children(goal.id)).filter(({ alias }) => alias?.includes("/compensate"));
    expect(undone.map(({ status, failure: why }) => [status, why?.code])).toEqual([
      ["failed", "INTERRUPTED"],
      ["completed", undefined],
    ]);
    // What is undone because the goal was stopped is not stopped with it: it was at work when the hub stopped.
    expect((await hub.log(goal.id)).map(({ type }) => type)).toContain("session.parked");
  });
});

describe("a goal that is done again", () => {
  it("takes over what was completed, does the rest with its changes, and can be compared", async () => {
    let broken = true;
    const agent: WorkingAgent = {
      capabilities: ["work"],
      work(job) {
        const id = idOf(job);
        if (broken && id === "c") throw failure("AGENT_FAILED", "not yet");
        return { id, by: job.spec.command?.[0] ?? "" };
      },
    };
    hub = await openGoalHub({ worker: agent, other: { work: agent.work } }, { folder });
    const first = await hub.reach({ goal: "Twice", plan, concurrency: 1 });
    expect(first).toMatchObject({ status: "failed", counts: { completed: 2, failed: 1 } });
    broken = false;
    const { goal } = await hub.goals.rerun(first.id, {
      changes: { c: { agent: "other", input: { id: "c", again: true } } },
    });
    await hub.ended(goal.id);
    const second = await hub.goals.get(goal.id);
    expect(second).toMatchObject({ status: "completed", rerun_of: first.id, plan: { source: "rerun" } });
    const { items } = await hub.goals.subtasks(second.id, {});
    expect(items.map(({ key, attempts, reason }) => [key, attempts[0]?.agent ?? null, reason])).toEqual([
      ["a", null, `taken over from goal ${first.id}`],
      ["b", null, `taken over from goal ${first.id}`],
      ["c", "other", null],
      ["d", "worker", null],
      ["end", "worker", null],
    ]);
    const diff = await hub.goals.diff(first.id, second.id);
    expect(diff).toMatchObject({ equal: 2 });
    expect(diff.tasks.find(({ key }) => key === "c")).toMatchObject({
      status: ["failed", "completed"],
      agent: ["worker", "other"],
    });
    const suite = await hub.goals.exportSuite(first.id, {});
    expect(suite).toContain("name: worker");
    expect(suite).toContain("id: c");
  });
});
