// Where a goal's plan comes from: the client, the goal that is done again, or an agent that plans.
import { ProctorError } from "../../core/errors.ts";
import { failure, type Failure } from "../../core/failure.ts";
import { PLAN_ARTIFACT, type GoalPlan } from "../../core/goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isGroup, type Plan, type PlanProblem } from "../../core/plan.ts";
import type { Run } from "../../core/run.ts";
import { readPlannedPlan } from "../plan/planned.ts";
import { childRequest } from "./child-request.ts";
import type { GoalContext, OrchestratorDeps } from "./context.ts";
import { readOutput } from "./read-output.ts";
import { keptPlan } from "./kept-plan.ts";
import { planProblems } from "./plan-problems.ts";
import { applyRerun } from "./rerun.ts";

/** Number of plans that an agent may make before the goal fails. */
const MAX_PLANS = 3;
/** The file that holds a plan which is too large for the run's options. */
export const PLAN_FILE = "plan.json";
/** The capability of agents that plan. */
const PLAN_CAPABILITY = "plan";

export async function makePlan(context: GoalContext): Promise<Plan | Failure> {
  const { deps, job, fold, options } = context;
  if (fold.state.plan !== null) return keptPlan(deps, job.runId);
  if (options.rerun) return accept(context, await applyRerun(context, options.rerun), { source: "rerun" });
  const given = await givenPlan(context);
  const source = job.options?.goal?.plan === undefined && options.plan !== undefined ? "template" : "given";
  if (given !== undefined) return accept(context, given, { source });
  return askPlanner(context);
}

async function givenPlan({ deps, job, options }: GoalContext): Promise<Json | undefined> {
  if (options.plan !== undefined) return options.plan;
  if (options.plan_given !== true) return undefined;
  const run = await deps.hub.run(job.runId);
  const file = run.artifacts.find((each) => "path" in each && each.path === PLAN_FILE);
  if (file === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of await deps.hub.readArtifact(job.runId, file.id)) chunks.push(chunk);
  // The hub wrote the file from a plan.
  return JSON.parse(Buffer.concat(chunks).toString()) as Json;
}

async function problemsOf(deps: OrchestratorDeps, value: Json): Promise<Plan | PlanProblem[]> {
  let plan: Plan;
  try {
    plan = deps.readPlan(value);
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    const { details } = error;
    // Details of PLAN_INVALID are its problems.
    return Array.isArray(details) ? (details as PlanProblem[]) : [{ path: "", message: error.message }];
  }
  const problems = await planProblems(deps, plan);
  return problems.length > 0 ? problems : plan;
}

async function accept(
  context: GoalContext,
  value: Json,
  made: Pick<GoalPlan, "source" | "run_id">,
): Promise<Plan | Failure> {
  const checked = await problemsOf(context.deps, value);
  if (Array.isArray(checked)) {
    await context.record({ type: "plan.refused", payload: { problems: checked } });
    return planFailed(checked);
  }
  return keep(context, checked, made);
}

async function keep(
  context: GoalContext,
  plan: Plan,
  made: Pick<GoalPlan, "source" | "run_id">,
): Promise<Plan> {
  await context.keep(PLAN_ARTIFACT, plan);
  const refused = context.fold.state.refused.length;
  const work = plan.tasks.filter((task) => !isGroup(task)).length;
  await context.record({ type: "plan.made", payload: { ...made, tasks: plan.tasks.length, work, refused } });
  return plan;
}

async function askPlanner(context: GoalContext): Promise<Plan | Failure> {
  const { deps, fold, options } = context;
  while (fold.state.refused.length < MAX_PLANS) {
    if (context.stopped()) return failure("CANCELLED", "the goal was stopped while it was planned");
    const feedback = fold.state.refused.at(-1);
    const run = await runPlanner(context, feedback);
    if ("code" in run) return run;
    if (run.status !== "completed") {
      const why = run.failure ?? failure("INTERNAL_ERROR", `the planner's run is ${run.status}`);
      return failure("PLAN_FAILED", `the planner failed: ${why.code}: ${why.message}`, { run_id: run.id });
    }
    const read = readPlannedPlan(await readOutput(deps.hub, run), deps.readPlan);
    const checked = Array.isArray(read) ? read : await problemsOf(deps, read);
    if (!Array.isArray(checked)) return keep(context, checked, { source: "agent", run_id: run.id });
    await context.record({ type: "plan.refused", payload: { problems: checked, run_id: run.id } });
  }
  const who = options.planner ?? "the planner";
  const last = fold.state.refused.at(-1) ?? [];
  return planFailed(last, `${who} made ${MAX_PLANS} plans, and none can be carried out`);
}

async function runPlanner(
  context: GoalContext,
  feedback: readonly PlanProblem[] | undefined,
): Promise<Run | Failure> {
  const { deps, job, goal, options, fold } = context;
  const input: JsonObject = {
    goal,
    params: options.params ?? {},
    capabilities: await deps.capabilities(),
    ...(feedback && { problems: [...feedback] }),
  };
  const decision = await deps.router.route(
    options.planner === undefined
      ? { capability: PLAN_CAPABILITY, input }
      : { agent: options.planner, input },
  );
  const { agent } = decision;
  if (agent === null) {
    return failure(
      "NO_AGENT",
      'nobody can plan: give a plan, or register an agent with the capability "plan"',
    );
  }
  const attempt = fold.state.refused.length + 1;
  const work = { key: "plan", attempt, description: goal, input, llm: options.llm ?? {} };
  const request = childRequest(job, { ...decision, agent }, work);
  if ("code" in request) return request;
  const run = await context.children.start(`:plan/${attempt}`, request);
  return context.children.ended(run.id);
}

function planFailed(problems: readonly PlanProblem[], why = "the plan cannot be carried out"): Failure {
  const [first] = problems;
  const said =
    first === undefined ? why : `${why}: ${first.path === "" ? "" : `${first.path}: `}${first.message}`;
  return failure("PLAN_FAILED", said, { problems: problems.slice(0, 20) });
}
