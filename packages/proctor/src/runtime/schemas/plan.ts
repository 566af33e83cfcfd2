// Plans as clients, files and planners write them; the types are core's. What the tasks mean together is checked by checkPlan.
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { pathText } from "../../core/path-text.ts";
import { FAILURE_POLICIES, PLAN_LIMITS, TASK_ID, type Plan } from "../../core/plan.ts";
import { MAX_DESCRIPTION_CHARS, MAX_STEPS, MAX_TIMEOUT_SECONDS, MAX_TOKENS } from "../../core/task.ts";
import { checkValue } from "../yaml/findings.ts";
import { json } from "../yaml/scalars.ts";
import { boundedInt, boundedText } from "./bounded.ts";
import { llmSchema } from "./environment.ts";

const MAX_DETAILS = 50;
const MAX_DELAY_MS = 86_400_000;

const name = boundedText(1000);
const description = boundedText(MAX_DESCRIPTION_CHARS);
/** Described here and checked by checkPlan, which says what an id looks like. */
const taskId = z.string().max(1000).meta({ pattern: TASK_ID.source });

export const doerFields = {
  agent: boundedText(8192).exactOptional().describe("Name or address of the agent that does it."),
  capability: name.exactOptional().describe("What the agent must be able to do; the best one is chosen."),
  version: name.exactOptional().describe("A range of versions of the capability, in the notation of npm."),
};

const Doer = z.strictObject(doerFields).meta({ id: "Doer" });

const ConditionTest = z
  .strictObject({
    value: json.describe("What is tested; usually a reference."),
    equals: json.exactOptional(),
    not_equals: json.exactOptional(),
    in: z.array(json).exactOptional().describe("The value is one of these."),
    greater: z.number().exactOptional().describe("The value is a number greater than this."),
    less: z.number().exactOptional().describe("The value is a number less than this."),
    exists: z
      .boolean()
      .exactOptional()
      .describe("Whether the reference leads to something; null is something."),
  })
  .meta({ id: "ConditionTest", description: "Every test that is named must hold." });

const Retry = z.strictObject({
  max_attempts: boundedInt(1, 10),
  initial_delay_ms: boundedInt(0, MAX_DELAY_MS).exactOptional(),
  max_delay_ms: boundedInt(0, MAX_DELAY_MS).exactOptional(),
  multiplier: z.number().min(1).max(100).exactOptional(),
  on: z.array(z.string().min(1)).exactOptional().describe("Failure codes worth another attempt."),
});

const Constraints = z.strictObject({
  max_steps: boundedInt(1, MAX_STEPS).exactOptional(),
  max_tokens: boundedInt(1, MAX_TOKENS).exactOptional(),
  timeout_seconds: boundedInt(1, MAX_TIMEOUT_SECONDS).exactOptional(),
  budget_usd: z.number().min(0).exactOptional(),
  allowed_tools: z.array(z.string()).nullable().exactOptional().describe("Absent or null: all. Empty: none."),
});

export const ReviewBody = z
  .strictObject({
    checks: z.array(json).max(100).exactOptional().describe("Checks as in a suite."),
    agent: z
      .union([z.literal(true), name])
      .exactOptional()
      .describe("An agent with the capability `review`: `true` for any, or its name."),
    rubric: description.exactOptional().describe("What the agent, or the person, is to look at."),
    human: z.boolean().exactOptional().describe("A person decides."),
    rounds: boundedInt(0, 20).exactOptional().describe("How often the work is done again; 2 when absent."),
  })
  .meta({ id: "Review", description: "Who looks at an output: each stage that is named must agree." });

export const PlanTaskBody = z
  .strictObject({
    id: taskId.describe("Unique in the plan."),
    title: z.string().max(1000).exactOptional(),
    description: description
      .exactOptional()
      .describe("What the agent is told; the title, or the goal, when absent."),
    ...doerFields,
    labels: z
      .record(z.string(), z.string().max(200))
      .exactOptional()
      .describe("Labels that the agent must have."),
    input: json.exactOptional().describe("An object, or a reference to one."),
    dependsOn: z
      .array(taskId)
      .exactOptional()
      .describe("Ids of tasks, or groups, that must have ended well before this one begins."),
    parentId: taskId
      .exactOptional()
      .describe("The group that the task belongs to: a task with neither agent nor capability."),
    foreach: json
      .exactOptional()
      .describe("A list, or a reference to one: the task is carried out once for each of its items."),
    when: z
      .union([z.string(), ConditionTest])
      .exactOptional()
      .describe("The task is skipped where this does not hold: one reference, or a test."),
    conversation: name
      .exactOptional()
      .describe("Runs with the same key go to the same agent and are one conversation."),
    retry: Retry.exactOptional(),
    timeout_seconds: z.number().gt(0).max(MAX_TIMEOUT_SECONDS).exactOptional(),
    constraints: Constraints.exactOptional(),
    llm: llmSchema.exactOptional().describe("The model endpoint of its runs; that of the goal when absent."),
    on_failure: z
      .enum(FAILURE_POLICIES)
      .exactOptional()
      .describe("What happens when the task has failed for good; `fail` when absent."),
    fallback: Doer.exactOptional().describe("Who does it instead; the next best agent when absent."),
    compensate: Doer.extend({ input: json.exactOptional(), description: description.exactOptional() })
      .meta({ id: "Compensation" })
      .exactOptional()
      .describe("How to undo the task after it was completed."),
    review: ReviewBody.exactOptional().describe(
      "Who looks at the output; the goal's own review when absent.",
    ),
  })
  .meta({
    id: "PlanTask",
    description:
      "Title, description, input, `foreach` and `when` may hold references: `${tasks.a.output.x}`, `${params.p}`, `${goal}`; with `foreach`, the first three also `${item}` and `${index}`. `$${` stands for `${` itself.",
  });

export const PlanBody = z
  .strictObject({
    tasks: z.array(PlanTaskBody).min(1).max(PLAN_LIMITS.tasks),
    output: json
      .exactOptional()
      .describe(
        "What the goal yields, with references; when absent, the outputs of the tasks that no other task waits for, by their ids.",
      ),
  })
  .meta({ id: "Plan", description: "Tasks, and what each of them waits for." });

/** Reads a plan. Throws PLAN_INVALID, with `{path, message}` of the first problems as details. */
export function readPlan(value: Json): Plan {
  const checked = checkValue(PlanBody, value, "the plan");
  if (checked.ok) return checked.value;
  const details = checked.findings.slice(0, MAX_DETAILS).map(({ path, message, hint }) => ({
    path: pathText(path),
    message: hint === undefined ? message : `${message}; ${hint}`,
  }));
  const [first] = details;
  const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : "";
  throw new ProctorError("PLAN_INVALID", `${where}${first?.message ?? "this is no plan"}${more}`, {
    details,
  });
}
