// Goals in this process. A goal is a run: it is submitted as one, and what is shown of it is read from its log.
import { OPERATOR } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import { GOAL_SPEC, type GoalOptions, type GoalRequest, type Rerun } from "../core/goal.ts";
import type { JsonObject } from "../core/json.ts";
import type { Plan, PlanProblem, Review } from "../core/plan.ts";
import type { Goals } from "../core/ports/goals.ts";
import type { RunRequest, SubmitOptions } from "../core/ports/hub.ts";
import type { Run } from "../core/run.ts";
import { formatAddress } from "../core/address.ts";
import type { OrchestratorDeps } from "./execute/context.ts";
import { keptPlan } from "./execute/kept-plan.ts";
import { PLAN_FILE } from "./execute/make-plan.ts";
import { planProblems } from "./execute/plan-problems.ts";
import { changePlan } from "./execute/rerun.ts";
import { conversationFor } from "./review/approvals.ts";
import { planOfCapability } from "./plan/single-task.ts";
import { diffGoals } from "./view/diff-goals.ts";
import { exportSuite } from "./view/export-suite.ts";
import { createGoalViews } from "./view/goal-views.ts";
import { pageOfSubtasks } from "./view/subtask-pages.ts";
import { previewPlan } from "./view/preview-plan.ts";
import { goalProblems } from "./goal-problems.ts";
import { requireDoers } from "./require-doers.ts";

export interface GoalsDeps extends OrchestratorDeps {
  /** Returns what is wrong with the params of a template; undefined where nothing is. */
  checkParams?: (schema: JsonObject, params: JsonObject) => string | undefined;
  toYaml: (value: JsonObject) => string;
}

/** Characters up to which a plan is a part of the run's options; a larger one is an artifact of the run. */
const INLINE_PLAN_CHARS = 32 * 1024;
const MAX_PLAN_BYTES = 64 * 1024 * 1024;
const LIST_LIMIT = 20;
const AGENT = formatAddress(GOAL_SPEC);

export function createGoals(deps: GoalsDeps): Goals {
  const { hub } = deps;
  const views = createGoalViews(hub);

  /** Resolves with the problems of the review that applies to every task. */
  async function reviewProblems(review: Review | undefined): Promise<PlanProblem[]> {
    if (review?.checks === undefined || deps.checkProblems === undefined) return [];
    const problems = await deps.checkProblems({ tasks: [{ id: "all", review }] });
    return problems.map(({ path, message }) => ({ path: path.replace("tasks[0].", ""), message }));
  }

  /** Returns the plan that the client gives, in one way or another. Throws INVALID_REQUEST. */
  function planOf(request: GoalRequest): Plan | undefined {
    const problems = goalProblems(request);
    const { parameters, params = {} } = request;
    const wrong = parameters && deps.checkParams?.(parameters, params);
    if (wrong !== undefined) problems.push({ path: "params", message: wrong });
    if (problems.length > 0) {
      const message = problems.map((problem) => `${problem.path}: ${problem.message}`).join("\n");
      throw new ProctorError("INVALID_REQUEST", message, { details: problems });
    }
    const { plan, capability, input, goal } = request;
    return capability === undefined ? plan : planOfCapability(capability, input, goal);
  }

  async function begin(
    request: GoalRequest,
    plan: Plan | undefined,
    options: SubmitOptions,
    rerun?: Rerun,
  ): Promise<{ run: Run; created: boolean }> {
    const text = plan === undefined ? "" : JSON.stringify(plan);
    const isLarge = text.length > INLINE_PLAN_CHARS;
    const run = runRequest(request, { ...(plan && !isLarge && { plan }), ...(rerun && { rerun }) }, isLarge);
    if (!isLarge) return hub.submit(run, options);
    const prepared = await hub.prepare(run, options);
    const { id, status, artifacts } = prepared.run;
    // A client that repeats its request may find the goal half prepared.
    if (status !== "created") return prepared;
    if (!artifacts.some((artifact) => "path" in artifact && artifact.path === PLAN_FILE)) {
      await hub.addFile(id, {
        fileName: PLAN_FILE,
        relativePath: PLAN_FILE,
        contentType: "application/json",
        maxBytes: MAX_PLAN_BYTES,
        content: bytesOf(text),
      });
    }
    return { ...prepared, run: await hub.start(id) };
  }

  async function existing(id: string): Promise<Run> {
    const run = await hub.run(id).catch((error: unknown) => {
      if (ProctorError.is(error) && error.code === "RUN_NOT_FOUND") throw notFound(id);
      throw error;
    });
    // Runs of an agent that is a template are goals as well, which only their logs say.
    if (run.options.goal === undefined && (await views.state(id)).plan === null) throw notFound(id);
    return run;
  }

  return {
    async submit(request, options = {}, caller = OPERATOR) {
      const plan = planOf(request);
      if (plan) {
        requireDoers(plan, request, caller);
        refuse(await planProblems(deps, plan, request.params ?? {}));
      } else requireDoers({ tasks: [] }, request, caller);
      refuse(await reviewProblems(request.review));
      const { run, created } = await begin(request, plan, options);
      return { goal: await views.goal(run), created };
    },
    get: async (id) => views.goal(await existing(id)),
    async list({ status, ...page }) {
      const query = { agent: AGENT, limit: LIST_LIMIT, ...page, ...(status && { status }) };
      const { items, next_cursor } = await hub.runs(query);
      const goals = [];
      for (const run of items) if (run.options.goal) goals.push(await views.goal(run));
      return { items: goals, next_cursor };
    },
    async plan(id) {
      await existing(id);
      const { plan } = await views.state(id);
      return plan === null ? null : keptPlan(deps, id);
    },
    async subtasks(id, page) {
      const run = await existing(id);
      const state = await views.state(id);
      if (state.plan === null) return { items: [], next_cursor: null };
      return pageOfSubtasks(run, await keptPlan(deps, id), state, page);
    },
    async preview(request, caller = OPERATOR) {
      const plan = planOf(request);
      if (plan) requireDoers(plan, request, caller);
      if (plan === undefined) return { plan: null, problems: [], routes: {} };
      return previewPlan(deps.router, plan, await planProblems(deps, plan, request.params ?? {}));
    },
    route: (request) => deps.router.route(request),
    async rerun(id, { from, changes }, options = {}, caller = OPERATOR) {
      const before = await existing(id);
      const plan = await keptPlan(deps, id);
      const state = await views.state(id);
      const known = new Set(plan.tasks.map((task) => task.id));
      const chosen =
        from ??
        plan.tasks.filter((task) => !isDone(state.subtasks.get(task.id)?.status)).map((task) => task.id);
      const unknown = [...chosen, ...Object.keys(changes ?? {})].find((task) => !known.has(task));
      if (unknown !== undefined)
        throw new ProctorError("INVALID_REQUEST", `the goal has no task "${unknown}"`, {
          details: { task: unknown },
        });
      if (chosen.length === 0)
        throw new ProctorError(
          "INVALID_REQUEST",
          "every task was completed\nname those that are to be done again",
        );
      const changed = changePlan(plan, changes);
      const request = requestOf(before);
      requireDoers(changed, request, caller);
      refuse(await planProblems(deps, changed, request.params ?? {}));
      const rerun = { of: id, from: chosen, ...(changes && { changes }) };
      const { run, created } = await begin(request, undefined, options, rerun);
      return { goal: await views.goal(run), created };
    },
    async diff(first, second) {
      await Promise.all([existing(first), existing(second)]);
      return diffGoals(hub, [first, await views.state(first)], [second, await views.state(second)]);
    },
    async exportSuite(id, request) {
      const run = await existing(id);
      const suite = await exportSuite(hub, run, await keptPlan(deps, id), await views.state(id), request);
      return deps.toYaml(suite);
    },
  };
}

function isDone(status: string | undefined): boolean {
  return status === "completed" || status === "skipped";
}

function runRequest(
  request: GoalRequest,
  given: Pick<GoalOptions, "plan" | "rerun">,
  isLarge: boolean,
): RunRequest {
  const { goal, params, planner, approve_plan, budget, concurrency, review, approvals, llm } = request;
  const { conversation_id, metadata } = request;
  const options: GoalOptions = {
    ...given,
    ...(isLarge && { plan_given: true }),
    ...(params && { params }),
    ...(planner !== undefined && { planner }),
    ...(approve_plan !== undefined && { approve_plan }),
    ...(budget && { budget }),
    ...(concurrency !== undefined && { concurrency }),
    ...(review && { review }),
    ...(approvals && { approvals }),
    ...(llm && { llm }),
  };
  return {
    agent: GOAL_SPEC,
    task: { description: goal, ...(params && { input_data: params }) },
    constraints: {
      ...(budget?.tokens !== undefined && { max_tokens: budget.tokens }),
      ...(budget?.cost_usd !== undefined && { budget_usd: budget.cost_usd }),
    },
    // Only people give approvals.
    options: { goal: options, conversation: conversationFor(approvals) },
    ...(metadata && { metadata }),
    ...(conversation_id !== undefined && { conversation_id }),
  };
}

/** Returns the request of a goal without its plan. */
function requestOf({ task, options, metadata }: Run): GoalRequest {
  const { plan: _, plan_given: __, rerun: ___, ...asked } = options.goal ?? {};
  return { goal: task.description, ...asked, metadata };
}

function refuse(problems: readonly PlanProblem[]): void {
  if (problems.length === 0) return;
  const message = problems.map((problem) => `${problem.path}: ${problem.message}`).join("\n");
  throw new ProctorError("PLAN_INVALID", message, { details: problems.map((problem) => ({ ...problem })) });
}

function notFound(id: string): ProctorError {
  return new ProctorError("GOAL_NOT_FOUND", `there is no goal ${id}`, { details: { id } });
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
