// What clients ask of goals; the types are core's.
import { z } from "zod";
import type { JsonObject } from "../../core/json.ts";
import { MAX_EXPIRY_SECONDS } from "../../core/question.ts";
import { MAX_ALIAS_CHARS } from "../../core/request-problems.ts";
import { MAX_DESCRIPTION_CHARS } from "../../core/task.ts";
import { json } from "../yaml/scalars.ts";
import { boundedInt, boundedText } from "./bounded.ts";
import { llmSchema } from "./environment.ts";
import { doerFields, PlanBody, ReviewBody } from "./plan.ts";

const MAX_AMOUNT = 1e12;
const MAX_CONCURRENCY = 10_000;
const MAX_NAMED = 20_000;

const record: z.ZodType<JsonObject> = z.record(z.string(), json);
const text = boundedText(1000);
const description = boundedText(MAX_DESCRIPTION_CHARS);
const amount = z.number().min(0).max(MAX_AMOUNT);
const count = boundedInt(0, MAX_AMOUNT);
const taskIds = z.array(text).max(MAX_NAMED);

export const GoalBudgetBody = z
  .strictObject({
    seconds: amount.exactOptional(),
    tokens: count.exactOptional(),
    cost_usd: amount.exactOptional(),
    runs: count.exactOptional().describe("Runs below the goal, those of planners and reviewers included."),
  })
  .meta({ id: "GoalBudget", description: "What the whole tree of runs may use up." });

const ApprovalPolicyBody = z
  .strictObject({
    on_silence: z
      .enum(["wait", "halt", "approve", "reject"])
      .exactOptional()
      .describe("What happens when nobody answers; `wait` when absent."),
    after_seconds: z
      .number()
      .gt(0)
      .max(MAX_EXPIRY_SECONDS)
      .exactOptional()
      .describe("Seconds until nobody has answered; 3600 when absent. `wait` does not use it."),
    notify: z.array(text).max(100).exactOptional().describe("Who is told, each by an envelope: `user:ada`."),
  })
  .meta({ id: "ApprovalPolicy" });

/** Everything that a request may say in addition to what the goal is. */
export const goalFields = {
  plan: PlanBody.exactOptional().describe("What is to be done, where it is known."),
  params: record.exactOptional().describe("Values for `${params.…}`."),
  parameters: record.exactOptional().describe("JSON Schema of the params, for a plan that is a template."),
  capability: text.exactOptional().describe("One task, for an agent that has this capability."),
  input: json.exactOptional().describe("The input of that task."),
  planner: boundedText(8192).exactOptional().describe("The agent that plans."),
  approve_plan: z.boolean().exactOptional().describe("A person approves the plan before anything is done."),
  budget: GoalBudgetBody.exactOptional(),
  concurrency: boundedInt(1, MAX_CONCURRENCY)
    .exactOptional()
    .describe("Sub-tasks at work at once; 50 when absent."),
  review: ReviewBody.exactOptional().describe("Who looks at outputs, where a task says nothing about it."),
  approvals: ApprovalPolicyBody.exactOptional(),
  llm: llmSchema
    .exactOptional()
    .describe("The model endpoint of every run that works for the goal, where its task says nothing else."),
  conversation_id: boundedText(MAX_ALIAS_CHARS).exactOptional(),
  metadata: record.exactOptional(),
};

/** Finds fields that a request may not combine. */
export function checkSources(
  request: { plan?: unknown; capability?: unknown; planner?: unknown; input?: unknown },
  context: z.RefinementCtx,
): void {
  const { plan, capability, planner, input } = request;
  const given = Object.entries({ plan, capability, planner }).filter(([, value]) => value !== undefined);
  const [first, second] = given.map(([field]) => field);
  const report = (field: string, message: string): void =>
    context.addIssue({ code: "custom", path: [field], message });
  if (second !== undefined)
    report(second, `is not used beside "${first}"; choose one of plan, capability and planner`);
  if (input !== undefined && capability === undefined) report("input", 'is used only with "capability"');
}

export const GoalRequestBody = z
  .strictObject({ goal: description.describe("What is to be achieved."), ...goalFields })
  .superRefine(checkSources)
  .meta({
    id: "GoalRequest",
    description: "At most one of `plan`, `capability` and `planner`; none means any agent that plans.",
  });

export const TaskChangeBody = z
  .strictObject({ ...doerFields, input: json.exactOptional(), description: description.exactOptional() })
  .meta({ id: "TaskChange" });

const changes = z
  .record(z.string(), TaskChangeBody)
  .exactOptional()
  .describe("By task: what is different this time.");

export const RerunRequestBody = z
  .strictObject({
    from: taskIds
      .exactOptional()
      .describe("Tasks to do again, with all that depend on them; those that failed when absent."),
    changes,
  })
  .meta({ id: "RerunRequest" });

export const RouteRequestBody = z
  .strictObject({
    ...doerFields,
    input: json.exactOptional().describe("Only agents whose capability takes this input."),
    labels: z.record(z.string(), z.string().max(200)).exactOptional(),
  })
  .meta({ id: "RouteRequest" });
