// The run that carries out a sub-task, or another piece of a goal's work, as it is submitted.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/canonical-json.ts";
import { failure, type Failure } from "../../core/failure.ts";
import { MAX_GOAL_DEPTH, type RouteDecision } from "../../core/goal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { PlanTask } from "../../core/plan.ts";
import type { Job } from "../../core/ports/driver.ts";
import type { RunRequest } from "../../core/ports/hub.ts";
import type { LlmOptions } from "../../core/run-options.ts";
import { conversationFor } from "../review/approvals.ts";
import { withFeedback } from "../review/feedback.ts";
import type { GoalMark } from "./context.ts";

export interface ChildWork {
  key: string;
  attempt: number;
  description: string;
  input: JsonObject;
  /** What reviews asked the attempts so far to do better; absent where no review did. */
  feedback?: { comments: Json; round: number };
  /** The run's model endpoint; the agent has what its kind has by default when absent. */
  llm?: LlmOptions | undefined;
}

/** Returns the request of a run for the chosen agent, or the failure for one that would repeat itself in a circle. */
export function childRequest(
  job: Pick<Job, "runId" | "metadata" | "options">,
  route: RouteDecision & { agent: string },
  work: ChildWork,
  task: Pick<PlanTask, "constraints" | "timeout_seconds" | "conversation"> = {},
): RunRequest | Failure {
  const { key, attempt, description, input, feedback, llm } = work;
  const path = pathOf(job.metadata);
  const step = hashOf([route.agent, route.capability ?? "", input]);
  if (path.includes(step)) {
    return failure(
      "LOOP_DETECTED",
      `${route.agent} is at work on exactly this already, further up, and would be asked for it again`,
      { agent: route.agent, key },
    );
  }
  if (path.length >= MAX_GOAL_DEPTH)
    return failure("LOOP_DETECTED", `goals are nested in goals more than ${MAX_GOAL_DEPTH} deep`, { key });
  const mark: GoalMark = { id: job.runId, key, attempt, path: [...path, step] };
  const { constraints = {}, timeout_seconds, conversation } = task;
  // An empty object is left out, because an agent that reads text would see it.
  const told = { description, ...(Object.keys(input).length > 0 && { input_data: input }) };
  const asked = { task: told, metadata: { goal: mark } };
  return {
    agent: route.agent,
    ...withFeedback(asked, feedback?.comments, feedback?.round ?? 0),
    constraints: { ...constraints, ...(timeout_seconds !== undefined && { timeout_seconds }) },
    options: {
      // An agent may ask questions, which appear in the inbox of approvals.
      conversation: conversationFor(job.options?.goal?.approvals),
      ...(route.capability !== undefined && { capability: route.capability }),
      ...(llm && { llm }),
    },
    ...(conversation !== undefined && { conversation_id: `${job.runId}/${conversation}` }),
  };
}

function pathOf(metadata: JsonObject): string[] {
  const mark = metadata["goal"];
  const path = isJsonObject(mark) ? mark["path"] : undefined;
  return Array.isArray(path) ? path.map(String) : [];
}

function hashOf(value: [string, string, JsonObject]): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}
