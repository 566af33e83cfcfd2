// What is asked of several agents. A goal is a run: its driver is the orchestrator, its sub-tasks are runs below it, and everything that
// was planned, routed, reviewed and settled is in its log. What is shown of it is a fold of that log (fold-goal.ts).
import type { AgentSpec } from "./agent.ts";
import type { Artifact } from "./artifact.ts";
import type { Failure } from "./failure.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Doer, Plan, PlanProblem, Review, ReviewVerdict } from "./plan.ts";
import type { TreeTally } from "./ports/store.ts";
import type { Question } from "./question.ts";
import type { LlmOptions } from "./run-options.ts";
import type { RunStatus } from "./run.ts";

/** The agent of every goal that is not a template with a name. */
export const GOAL_SPEC: AgentSpec = { protocol: "goal", transport: "builtin", command: ["goal"] };
/** Name of the artifact that holds the plan, and of the one that holds what the goal yields. */
export const PLAN_ARTIFACT = "plan";
export const OUTPUT_ARTIFACT = "output";
/** Sub-tasks that a goal has at work at once, unless it says otherwise. */
export const DEFAULT_GOAL_CONCURRENCY = 50;
/** Levels to which goals may be nested in goals. */
export const MAX_GOAL_DEPTH = 8;

/** What the whole tree may use up. Tokens and money are the run's own constraints, which hold for the runs below it. */
export interface GoalBudget extends JsonObject {
  seconds?: number;
  tokens?: number;
  cost_usd?: number;
  /** Number of runs below the goal, including those of planners and reviewers. */
  runs?: number;
}

/** What happens when an approval is not answered: it waits 30 days; the goal fails; or the approval is given or refused after the time. */
export type Silence = "wait" | "halt" | "approve" | "reject";

export interface ApprovalPolicy extends JsonObject {
  /** What happens when an approval is not answered; `wait` when absent. */
  on_silence?: Silence;
  /** Seconds until an approval counts as not answered; an hour when absent. `wait` ignores it. */
  after_seconds?: number;
  /** People (`user:ada`) who are notified, each by an envelope. */
  notify?: string[];
}

/** What a client may say of how its goal is carried out. */
interface GoalTerms {
  /** The plan. Without it: that of the agent's template, then the planner's. A large plan is kept as an artifact of the run. */
  plan?: Plan;
  params?: JsonObject;
  /** Name of the agent that plans; any agent with the capability `plan` when there is no plan. */
  planner?: string;
  /** Whether a person must approve the plan before anything is done. */
  approve_plan?: boolean;
  budget?: GoalBudget;
  concurrency?: number;
  review?: Review;
  approvals?: ApprovalPolicy;
  /** The model endpoint of every run that works for the goal, where its task says nothing else. */
  llm?: LlmOptions;
}

/** The goal's part of a run's options, `Run.options.goal`. */
export interface GoalOptions extends GoalTerms, JsonObject {
  /** True where the plan was given as an artifact. */
  plan_given?: boolean;
  rerun?: Rerun;
}

/** A goal that takes over the results of another goal, and does some of its tasks again. */
export interface Rerun extends JsonObject {
  /** Id of the other goal. */
  of: string;
  /** Ids of the tasks that are done again, and with them everything that depends on them. */
  from: string[];
  changes?: Record<string, TaskChange>;
}

export interface TaskChange extends Doer {
  input?: Json;
  description?: string;
}

/** A goal as a client asks for it. At most one of `plan`, `capability` and `planner` may be given; with none, any agent that plans is used. */
export interface GoalRequest extends GoalTerms {
  goal: string;
  /** JSON Schema of the params, for a plan that is a template. */
  parameters?: JsonObject;
  capability?: string;
  input?: Json;
  conversation_id?: string;
  metadata?: JsonObject;
}

export const SUBTASK_STATUSES = [
  "waiting",
  "running",
  "reviewing",
  "completed",
  "failed",
  "skipped",
  "cancelled",
  "compensated",
] as const;
export type SubtaskStatus = (typeof SUBTASK_STATUSES)[number];

/** Names one piece of work: a task's id, or `id[3]` for the item of a `foreach`. */
export type SubtaskKey = string;

export interface CandidateScore extends JsonObject {
  agent: string;
  /** The score of the agent, 0 to 1; the best agent is first. */
  score: number;
  /** Parts of the score: `success`, `quality`, `latency`, `cost`, `load`, `health`, each 0 to 1 (orchestrator/route/score.ts). */
  parts: Record<string, number>;
}

/** Why an agent was chosen. */
export interface RouteDecision extends JsonObject {
  /** Name of the agent; null where no agent can do the work. */
  agent: string | null;
  /** How the agent was found: it was named, is the one of the conversation, or was the best of the candidates. */
  by: "named" | "affinity" | "score" | "fallback";
  /** Why this agent was chosen, or why none was, in words. */
  reason?: string;
  capability?: string;
  /** The first twenty candidates; `considered` and `refused` count all of them. */
  candidates: CandidateScore[];
  rejected: { agent: string; reason: string }[];
  considered: number;
  refused: number;
  /** Number of agents with the capability that were not considered, because enough others can do the work; 0 when absent. */
  unseen?: number;
}

/** One try at a sub-task: a run. */
export interface SubtaskAttempt extends JsonObject {
  number: number;
  run_id: string;
  agent: string;
  status: RunStatus | null;
  failure?: Failure;
  route?: RouteDecision;
  reviews: SubtaskReview[];
  /** Milliseconds from the request to stop until the run had ended, where it was stopped. */
  stop_ms?: number;
}

export interface SubtaskReview extends JsonObject {
  by: "schema" | "checks" | "agent" | "human";
  /** The verdict; null where the reviewer failed, which is no rejection. */
  verdict: ReviewVerdict | null;
  feedback?: Json;
  run_id?: string;
  trouble?: string;
}

export interface Subtask extends JsonObject {
  key: SubtaskKey;
  task: string;
  title: string | null;
  parent_id: string | null;
  depends_on: string[];
  status: SubtaskStatus;
  attempts: SubtaskAttempt[];
  /** Why the sub-task was skipped, or failed. */
  reason: string | null;
  /** Id of the run whose output counts. */
  output_run_id: string | null;
}

export interface Goal {
  id: string;
  goal: string;
  status: RunStatus;
  /** The plan; null until there is one. */
  plan: GoalPlan | null;
  counts: Record<SubtaskStatus, number>;
  budget: GoalBudget;
  spent: TreeTally;
  questions: Question[];
  failure: Failure | null;
  artifacts: Artifact[];
  rerun_of: string | null;
  conversation_id: string;
  trace_id: string;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

export interface GoalPlan extends JsonObject {
  source: "given" | "template" | "capability" | "agent" | "rerun";
  tasks: number;
  /** Number of tasks that are not groups. */
  work: number;
  /** Id of the run of the agent that planned. */
  run_id?: string;
  /** Number of plans that were refused before this one. */
  refused: number;
}

/** What a plan would do, for `--dry-run`. */
export interface PlanPreview {
  plan: Plan | null;
  problems: PlanProblem[];
  /** The route of each task, by task id; without the fit where the input is known only later. */
  routes: Record<string, RouteDecision>;
}

export interface GoalDiff {
  goals: [string, string];
  /** The differences, task by task; equal tasks are left out. */
  tasks: TaskDiff[];
  equal: number;
}

export interface TaskDiff {
  key: SubtaskKey;
  /** The statuses, in the order of the goals; null where a goal has no such task. */
  status: [SubtaskStatus | null, SubtaskStatus | null];
  agent: [string | null, string | null];
  attempts: [number, number];
  output: [Json, Json];
  seconds: [number | null, number | null];
  cost_usd: [number | null, number | null];
  tokens: [number | null, number | null];
}
