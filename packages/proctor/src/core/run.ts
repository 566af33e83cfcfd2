// A run as all readers see it: the document that the fold of its events yields, and that the neutral API returns.
import type { Artifact } from "./artifact.ts";
import type { Failure } from "./failure.ts";
import type { JsonObject } from "./json.ts";
import type { Metrics } from "./metrics.ts";
import type { Question } from "./question.ts";
import type { RunOptions } from "./run-options.ts";
import type { Constraints, Context, RetryPolicy, Task } from "./task.ts";
import type { Violation } from "./event.ts";

export const TERMINAL_STATUSES = [
  "completed",
  "failed",
  "timeout",
  "cancelled",
  "partial",
  "rejected",
] as const;
export const RUN_STATUSES = [
  "created",
  "queued",
  "running",
  "waiting",
  "paused",
  ...TERMINAL_STATUSES,
] as const;

export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];
export type RunStatus = (typeof RUN_STATUSES)[number];

/** `costliest` lists runs that have a cost, `slowest` those that began and ended; the others list all. */
export const RUN_ORDERS = ["newest", "oldest", "costliest", "slowest"] as const;
export type RunOrder = (typeof RUN_ORDERS)[number];

export interface Run {
  id: string;
  /** The registered name, or the address when the agent was given by address. */
  agent: string;
  status: RunStatus;
  task: Task;
  constraints: Constraints;
  /** Context of the task; `environment` holds `***` for every value. */
  context: Context;
  metadata: JsonObject;
  options: RunOptions;
  /** The client's own name for the run; several runs may share one. */
  alias: string | null;
  retry: RetryPolicy | null;
  /** Number of the attempt, from 1. */
  attempt: number;
  retry_of: string | null;
  /** Id of the run that took over after this one ended, by its retry policy. */
  retried_as: string | null;
  /** Shared by runs that belong together because one continues another; the run's own id when it began the conversation. */
  conversation_id: string;
  /** Id of the ended run that this one continues. */
  follows: string | null;
  /** Id of the run whose work this one is a part of. */
  parent_id: string | null;
  /** Id of the run at the top of the tree: the run's own when it has no parent. */
  root_id: string;
  /** Questions that are not answered yet. */
  questions: Question[];
  /** W3C trace id, 32 hex digits. */
  trace_id: string;
  /** Id of the span that asked for the run, 16 hex digits; null where the request named none. */
  parent_span_id: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  metrics: Metrics;
  artifacts: Artifact[];
  failure: Failure | null;
  /** Fields of the agent's answer that Proctor does not know. */
  extensions: JsonObject | null;
  /** The first violations; the log has all of them. */
  violations: Violation[];
}

/** `Run.agent` of a run whose client does the work itself. It is neither a valid name nor a valid address. */
export const CLIENT_AGENT = "client:";
/** The worker in the `run.started` of a run that its client carries out. */
export const CLIENT_WORKER = "client";

export function isClientRun({ agent }: Pick<Run, "agent">): boolean {
  return agent === CLIENT_AGENT;
}

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}
