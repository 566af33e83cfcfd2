// What is wrong with a request for a goal, apart from its plan.
import type { GoalRequest } from "../core/goal.ts";
import type { PlanProblem } from "../core/plan.ts";
import { MAX_DESCRIPTION_CHARS, MAX_TIMEOUT_SECONDS, MAX_TOKENS } from "../core/task.ts";

const MAX_RUNS = 1_000_000;
const MAX_CONCURRENCY = 1000;

export function goalProblems(request: GoalRequest): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const expect = (holds: boolean, path: string, message: string): void => {
    if (!holds) problems.push({ path, message });
  };
  const whole = (value: number | undefined, path: string, max: number): void =>
    expect(
      value === undefined || (Number.isInteger(value) && value >= 1 && value <= max),
      path,
      `must be a whole number from 1 to ${max}`,
    );
  const { goal, plan, capability, input, planner, budget = {}, concurrency, approvals } = request;
  expect(
    goal.trim() !== "" && goal.length <= MAX_DESCRIPTION_CHARS,
    "goal",
    `must be a text of 1 to ${MAX_DESCRIPTION_CHARS} characters`,
  );
  const sources = [plan, capability, planner].filter((source) => source !== undefined);
  expect(sources.length <= 1, "plan", "give one of plan, capability and planner");
  expect(input === undefined || capability !== undefined, "input", "is for a capability");
  whole(budget.seconds, "budget.seconds", MAX_TIMEOUT_SECONDS);
  whole(budget.tokens, "budget.tokens", MAX_TOKENS);
  whole(budget.runs, "budget.runs", MAX_RUNS);
  whole(concurrency, "concurrency", MAX_CONCURRENCY);
  const cost = budget.cost_usd;
  expect(cost === undefined || (Number.isFinite(cost) && cost > 0), "budget.cost_usd", "must be more than 0");
  for (const [index, user] of (approvals?.notify ?? []).entries())
    expect(/^user:.+$/s.test(user), `approvals.notify[${index}]`, "must be user:<id>");
  return problems;
}
