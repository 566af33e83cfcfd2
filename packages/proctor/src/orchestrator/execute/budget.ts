// Whether a goal may begin another run. What its tokens and money buy is limited by the engine, for all runs below the one at the top; here
// is what the engine does not know: how many runs a goal may have, and the budgets of goals inside goals and of templates.
import { failure, type Failure } from "../../core/failure.ts";
import type { GoalContext } from "./context.ts";

/** Resolves with the failure that keeps another run from beginning; undefined while the budget has something left. */
export async function budgetExceeded({ deps, job, options }: GoalContext): Promise<Failure | undefined> {
  const { runs: most, tokens, cost_usd: cost } = options.budget ?? {};
  if (most === undefined && tokens === undefined && cost === undefined) return undefined;
  const tally = await deps.hub.tally(job.runId);
  // The tally counts the goal itself as a run.
  if (most !== undefined && tally.runs - 1 >= most) return exceeded("runs", most);
  if (tokens !== undefined && tally.total_tokens > tokens) return exceeded("tokens", tokens);
  if (cost !== undefined && tally.cost_usd > cost) return exceeded("US dollars", cost);
  return undefined;
}

function exceeded(what: string, most: number): Failure {
  return failure("BUDGET_EXCEEDED", `the goal has had its ${most} ${what}`, { [what]: most });
}
