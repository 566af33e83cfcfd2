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
/** How many sub-tasks a goal has at work at once, unless it says otherwise. */
export const DEFAULT_GOAL_CONCURRENCY = 50;
/** How deep goals may be nested in goals. */
export const MAX_GOAL_DEPTH = 8;

/** What is used up by the whole tree. Tokens and money are the run's own constraints, which hold for the runs below it. */
export interface GoalBudget extends JsonObject {
  seconds?: number;
  tokens?: number;
  cost_usd?: number;
  /** Runs below the goal, those of planners and reviewers included. */
  runs?: number;
}

/** What happens when nobody answers an approval: it waits 30 days; the goal fails; or it is answered with this after the time. */
export type Silence = "wait" | "halt" | "approve" | "reject";

export interface ApprovalPolicy extends JsonObject {
  /** `wait` when absent. */
  on_silence?: Silence;
  /** Seconds until nobody has answered; an hour when absent, and not used by `wait`. */
  after_seconds?: number;
  /** Who is told: `user:ada`, each by an envelope. */
  notify?: string[];
}

/** What whoever asks for a goal may say of how it is carried out. */
interface GoalTerms {
  /** Where the plan comes from, in this order: this, a template's (of the agent), the planner. Large ones are an artifact of the run. */
  plan?: Plan;
  params?: JsonObject;
  /** The agent that plans; any with the capability `plan` when there is no plan. */
  planner?: string;
  /** The plan is shown to a person, and approved, before anything is done. */
  approve_plan?: boolean;
  budget?: GoalBudget;
  concurrency?: number;
  review?: Review;
  approvals?: ApprovalPolicy;
  /** The model endpoint of every run that works for the goal, where its task says nothing else. */
  llm?: LlmOptions;
}

/** `Run.options.goal`. */
export interface GoalOptions extends GoalTerms, JsonObject {
  /** True where the plan was given as an artifact. */
  plan_given?: boolean;
  rerun?: Rerun;
}

/** A goal that takes over what another one has done, and does some of it again. */
export interface Rerun extends JsonObject {
  /** Id of the other goal. */
  of: string;
  /** The tasks that are done again, and with them everything that depends on them. */
  from: string[];
  changes?: Record<string, TaskChange>;
}

export interface TaskChange extends Doer {
  input?: Json;
  description?: string;
}

/** As a client asks. Exactly one of `plan`, `capability` and `planner` may be given; none means any agent that plans. */
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
  /** 0 to 1; the best is first. */
  score: number;
  /** What the score is made of: `success`, `quality`, `latency`, `cost`, `load`, `health`, each 0 to 1 (orchestrator/route/score.ts). */
  parts: Record<string, number>;
}

/** Why an agent was chosen. */
export interface RouteDecision extends JsonObject {
  /** Null where nobody can do it. */
  agent: string | null;
  /** How the agent was found: it was named, is the one of the conversation, or was the best of those that can. */
  by: "named" | "affinity" | "score" | "fallback";
  /** Why this agent, or why none, in words. */
  reason?: string;
  capability?: string;
  /** The first twenty of each; `considered` and `refused` count all of them. */
  candidates: CandidateScore[];
  rejected: { agent: string; reason: string }[];
  considered: number;
  refused: number;
  /** Agents with the capability that nobody looked at, because enough others can do it; 0 when absent. */
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
  /** Null where the reviewer failed, which is no rejection. */
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
  /** Why it was skipped, or failed. */
  reason: string | null;
  /** The run whose output counts. */
  output_run_id: string | null;
}

export interface Goal {
  id: string;
  goal: string;
  status: RunStatus;
  /** Null until there is one. */
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
  /** Tasks that are no groups. */
  work: number;
  /** The run of the agent that planned. */
  run_id?: string;
  /** Plans that were refused before this one. */
  refused: number;
}

/** What a plan would do: `--dry-run`. */
export interface PlanPreview {
  plan: Plan | null;
  problems: PlanProblem[];
  /** By task; of those whose input is known only later, without the fit. */
  routes: Record<string, RouteDecision>;
}

export interface GoalDiff {
  goals: [string, string];
  /** What differs, task by task; equal ones are left out. */
  tasks: TaskDiff[];
  equal: number;
}

export interface TaskDiff {
  key: SubtaskKey;
  /** In the order of the goals; null where the goal has no such task. */
  status: [SubtaskStatus | null, SubtaskStatus | null];
  agent: [string | null, string | null];
  attempts: [number, number];
  output: [Json, Json];
  seconds: [number | null, number | null];
  cost_usd: [number | null, number | null];
  tokens: [number | null, number | null];
}
