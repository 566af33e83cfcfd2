// Goals as clients read them. How they are asked for is in runtime/schemas.
import { z } from "zod";
import { SUBTASK_STATUSES } from "../../core/goal.ts";
import { RUN_STATUSES } from "../../core/run.ts";
import { VERDICTS } from "../../core/plan.ts";
import { PlanBody } from "../../runtime/schemas/plan.ts";
import { GoalBudgetBody } from "../../runtime/schemas/goal.ts";
import { ArtifactDocument } from "./artifact.ts";
import { JsonRecord, listOf, PageQuery, Timestamp } from "./common.ts";
import { QuestionDocument } from "./question.ts";

const SubtaskStatus = z.enum(SUBTASK_STATUSES).meta({ id: "SubtaskStatus" });
const Status = z.enum(RUN_STATUSES);
const Failure = z.looseObject({ code: z.string(), message: z.string(), details: JsonRecord.optional() });

export const RouteDocument = z
  .strictObject({
    agent: z.string().nullable().describe("Null where nobody can do it."),
    by: z.enum(["named", "affinity", "score", "fallback"]),
    capability: z.string().optional(),
    candidates: z
      .array(
        z.strictObject({ agent: z.string(), score: z.number(), parts: z.record(z.string(), z.number()) }),
      )
      .describe("The best first, at most twenty."),
    rejected: z.array(z.strictObject({ agent: z.string(), reason: z.string() })).describe("At most twenty."),
    considered: z.int().describe("How many agents could do it."),
    refused: z.int().describe("How many have the capability and could not do it."),
  })
  .meta({ id: "RouteDecision", description: "Why an agent was chosen." });

const ReviewDocument = z.looseObject({
  by: z.enum(["schema", "checks", "agent", "human"]),
  verdict: z.enum(VERDICTS).nullable().describe("Null where the reviewer failed, which is no rejection."),
  feedback: z.unknown().optional(),
  run_id: z.string().optional(),
  trouble: z.string().optional(),
});

const AttemptDocument = z.strictObject({
  number: z.int(),
  run_id: z.string(),
  agent: z.string(),
  status: Status.nullable().describe("Null while it is at work."),
  failure: Failure.optional(),
  route: RouteDocument.optional(),
  reviews: z.array(ReviewDocument),
  stop_ms: z.number().optional().describe("From the request to stop until the run had ended."),
});

const SubtaskDocument = z
  .strictObject({
    key: z.string().describe("Id of the task, or `id[3]` for an item of a `foreach`."),
    task: z.string(),
    title: z.string().nullable(),
    parent_id: z.string().nullable(),
    depends_on: z.array(z.string()),
    status: SubtaskStatus,
    attempts: z.array(AttemptDocument),
    reason: z.string().nullable(),
    output_run_id: z.string().nullable().describe("The run whose output counts."),
  })
  .meta({ id: "Subtask" });

export const SubtaskList = listOf("SubtaskList", SubtaskDocument);

export const GoalDocument = z
  .strictObject({
    id: z.string().describe("Id of the goal's run: `/runs/{id}` has its log, and steers it."),
    goal: z.string(),
    status: Status,
    plan: z
      .strictObject({
        source: z.enum(["given", "template", "capability", "agent", "rerun"]),
        tasks: z.int(),
        work: z.int().describe("Tasks that are no groups."),
        run_id: z.string().optional().describe("The run of the agent that planned."),
        refused: z.int().describe("Plans that were refused before this one."),
      })
      .nullable()
      .describe("Null until there is one."),
    counts: z.record(SubtaskStatus, z.int()).describe("Sub-tasks by status."),
    budget: GoalBudgetBody,
    spent: z.strictObject({
      runs: z.int(),
      live: z.int(),
      total_tokens: z.number(),
      cost_usd: z.number(),
      total_steps: z.number(),
    }),
    questions: z.array(QuestionDocument),
    failure: Failure.nullable(),
    artifacts: z.array(ArtifactDocument),
    rerun_of: z.string().nullable(),
    conversation_id: z.string(),
    trace_id: z.string(),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
  })
  .meta({ id: "Goal", description: "What is asked of several agents, and how far it is." });

export const GoalList = listOf("GoalList", GoalDocument);

export const GoalQuery = PageQuery.extend({
  status: z.string().max(200).optional().describe("Statuses, with commas between them."),
});

export const PreviewDocument = z
  .strictObject({
    plan: PlanBody.nullable().describe("Null where an agent would plan."),
    problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    routes: z.record(z.string(), RouteDocument).describe("By task, of the first 200."),
  })
  .meta({ id: "PlanPreview" });

/** Schema of two values: the first goal's, then the second's. A list, because generated clients know no tuples. */
const pair = <T extends z.ZodType>(of: T): z.ZodArray<T> => z.array(of).length(2);

export const DiffDocument = z
  .strictObject({
    goals: pair(z.string()),
    tasks: z.array(
      z.strictObject({
        key: z.string(),
        status: pair(SubtaskStatus.nullable()),
        agent: pair(z.string().nullable()),
        attempts: pair(z.int()),
        output: pair(z.unknown()),
        seconds: pair(z.number().nullable()),
        cost_usd: pair(z.number().nullable()),
        tokens: pair(z.number().nullable()),
      }),
    ),
    equal: z.int().describe("How many tasks do not differ."),
  })
  .meta({ id: "GoalDiff", description: "What differs between two executions, task by task." });

export const SuiteQuery = z.strictObject({
  tasks: z.string().max(10_000).optional().describe("Ids of tasks, with commas between them."),
  whole: z.enum(["true", "false"]).optional().describe("`true`: one case of the whole goal."),
});
