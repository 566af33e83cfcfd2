import { describe, expect, it } from "vitest";
import { HANG_MS } from "../../test/support/eventually.ts";
import { openGoalHub } from "../../test/support/goals/goal-hub.ts";
import {
  completion,
  HELLO,
  onEnd,
  post,
  sendJson,
  startBoth,
} from "../../test/support/llm/model-host-harness.ts";
import type { Job } from "../core/ports/driver.ts";
import type { LlmOptions } from "../core/run-options.ts";

async function askModel({ env = {} }: Job): Promise<{ status: number; text: string }> {
  const { LLM_API_URL: url = "", LLM_API_KEY: key = "" } = env;
  const { status, text } = await post({ url }, HELLO, { key });
  return { status, text };
}

interface Given {
  /** The model of the goal, and of each task; the agent's own kind has one where neither is said. */
  goal?: LlmOptions;
  task?: LlmOptions;
}

/** Each answer of the model costs 150 tokens and 0.0002 US dollars. */
async function reach(budget: { tokens?: number; cost_usd?: number }, given: Given = {}) {
  const { host, model } = await startBoth((outgoing) => sendJson(outgoing, completion("Hi.")));
  const { goal: ofGoal, task: ofTask } = given;
  const agent = { work: askModel, needsModel: ofGoal === undefined && ofTask === undefined };
  const hub = await openGoalHub({ thinker: agent }, { models: host });
  onEnd(() => hub.close());
  const ids = ["first", "second", "third"];
  const tasks = ids.map((id, index) => ({
    id,
    agent: "thinker",
    ...(ofTask && { llm: ofTask }),
    ...(index > 0 && { dependsOn: [ids[index - 1] ?? ""] }),
  }));
  const goal = await hub.reach({ goal: "Think", budget, plan: { tasks }, ...(ofGoal && { llm: ofGoal }) });
  const runs = await hub.children(goal.id);
  const answers = runs.flatMap(({ artifacts }) =>
    artifacts.flatMap((artifact) => (artifact.type === "structured" ? [artifact.data] : [])),
  );
  return { goal, answers, asked: model.asked.length };
}

describe("the model of a run in a tree", { timeout: HANG_MS }, () => {
  it.each([
    ["tokens", { tokens: 300 }, /used up: 300 of 300 tokens/],
    ["money", { cost_usd: 0.0004 }, /used up: 0\.0004 of 0\.0004 USD/],
  ])("is not asked once the budget of its goal is used up: %s", async (_, budget, message) => {
    const { answers, asked } = await reach(budget);
    expect(asked).toBe(2);
    expect(answers).toMatchObject([
      { status: 200 },
      { status: 200 },
      { status: 402, text: expect.stringMatching(message) as string },
    ]);
    expect(JSON.parse((answers[2] as { text: string }).text)).toMatchObject({
      error: { code: "budget_exceeded" },
    });
  });

  it.each([
    ["goal", { goal: {} }],
    ["task", { goal: { enabled: false }, task: {} }],
  ])("is given to sub-tasks by the %s, and answers 402 once the budget is used up", async (_, given) => {
    const { answers, asked } = await reach({ tokens: 300 }, given);
    expect(asked).toBe(2);
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }, { status: 402 }]);
  });

  it("is given no run of a goal in a goal once that goal has used more than its own budget", async () => {
    const { host, model } = await startBoth((outgoing) => sendJson(outgoing, completion("Hi.")));
    const hub = await openGoalHub({ thinker: { work: askModel } }, { models: host });
    onEnd(() => hub.close());
    const chain = ["x", "y", "z"].map((id, index, all) => ({
      id,
      agent: "thinker",
      ...(index > 0 && { dependsOn: [all[index - 1] ?? ""] }),
    }));
    await hub.hub.addAgent({
      name: "team",
      protocol: "goal",
      transport: "builtin",
      command: ["goal"],
      options: { plan: { tasks: chain }, budget: { tokens: 200 } },
    });
    const tasks = [{ id: "team", agent: "team" }];
    const goal = await hub.reach({ goal: "Nest", plan: { tasks }, llm: {}, budget: { tokens: 10_000 } });
    expect(goal).toMatchObject({ status: "failed", failure: { code: "BUDGET_EXCEEDED" } });
    expect(model.asked).toHaveLength(2);
    const [team] = await hub.children(goal.id);
    expect(await hub.hub.tally(team?.id ?? "")).toMatchObject({ runs: 3, total_tokens: 300 });
  });

  it("is asked as long as the goal has something left", async () => {
    const { goal, answers, asked } = await reach({ tokens: 1000 });
    expect(goal).toMatchObject({ status: "completed", spent: { total_tokens: 450 } });
    expect(asked).toBe(3);
    expect(answers).toHaveLength(3);
  });
});
