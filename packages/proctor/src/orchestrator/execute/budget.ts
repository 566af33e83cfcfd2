// Whether a goal may begin another run. What its tokens and money buy is limited by the engine, for all runs below the one at the top; here
// is what the engine does not know: how many runs a goal may have, and the budget of an agent that is a template of goals.
import { failure, type Failure } from "../../core/failure.ts";
import type { GoalContext } from "./context.ts";

/** Why no other run is begun; undefined while the budget has something left. */
export async function budgetExceeded({
  deps,
  job,
  options,
  fold,
}: GoalContext): Promise<Failure | undefined> {
  const { runs: most, tokens, cost_usd: cost } = options.budget ?? {};
  if (most === undefined && tokens === undefined && cost === undefined) return undefined;
  const { root_id: root } = await deps.hub.run(job.runId);
  // The sum is known of whole trees: a goal inside another one counts the runs that it began itself.
  const isTop = root === job.runId;
  if (!isTop) return most !== undefined && fold.state.runs >= most ? exceeded("runs", most) : undefined;
  const tally = await deps.hub.tally(root);
  // The goal itself is one of them.
  if (most !== undefined && tally.runs - 1 >= most) return exceeded("runs", most);
  if (tokens !== undefined && tally.total_tokens > tokens) return exceeded("tokens", tokens);
  if (cost !== undefined && tally.cost_usd > cost) return exceeded("US dollars", cost);
  return undefined;
}

function exceeded(what: string, most: number): Failure {
  return failure("BUDGET_EXCEEDED", `the goal has had its ${most} ${what}`, { [what]: most });
}
