// The stages of a review that need no person. Each says what it found, or why it could not judge.
import { RETURNS_RULE } from "../../core/event.ts";
import type { SubtaskReview } from "../../core/goal.ts";
import type { Json } from "../../core/json.ts";
import { messageOf } from "../../core/message-of.ts";
import type { ReviewVerdict } from "../../core/plan.ts";
import type { ReviewActions, ReviewQuestion, RunChecks } from "./contract.ts";
import { parseVerdict } from "./parse-verdict.ts";
import { REVIEW, REVIEW_DESCRIPTION, reviewInput } from "./review-request.ts";

export interface Finding {
  by: SubtaskReview["by"];
  /** Null where the stage could not judge, which is no rejection. */
  verdict: ReviewVerdict | null;
  feedback?: Json;
  reason?: string;
  score?: number;
  runId?: string;
  trouble?: string;
}

/** Returns undefined where the output matches the capability's schema, or there is no schema. */
export function findMismatch({ run }: Pick<ReviewQuestion, "run">): Finding | undefined {
  const mismatch = run.violations.find(({ rule }) => rule === RETURNS_RULE);
  if (mismatch === undefined) return undefined;
  const { rule, message } = mismatch;
  return { by: "schema", verdict: "retry", feedback: { rule, message }, reason: message };
}

export async function judgeByChecks(
  { run, review }: Pick<ReviewQuestion, "run" | "review">,
  checks: RunChecks | undefined,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    if (checks === undefined) throw new Error("this hub evaluates no checks");
    const failed = await checks(run, review.checks ?? [], signal);
    if (failed === undefined) return { by: "checks", verdict: "approve" };
    return { by: "checks", verdict: "retry", feedback: { check: failed }, reason: failed };
  } catch (error) {
    signal.throwIfAborted();
    return { by: "checks", verdict: null, trouble: messageOf(error) };
  }
}

export async function judgeByAgent(question: ReviewQuestion, actions: ReviewActions): Promise<Finding> {
  const { agent } = question.review;
  const doer = { capability: REVIEW, ...(typeof agent === "string" && { agent }) };
  let runId: string | undefined;
  try {
    const run = await actions.ask(doer, REVIEW_DESCRIPTION, reviewInput(question));
    if (run === undefined) return lost(`no agent that can be reached has the capability "${REVIEW}"`);
    runId = run.id;
    const { status, failure } = run;
    if (status !== "completed")
      return lost(
        `its run ended as ${status}${failure ? `: ${failure.code}: ${failure.message}` : ""}`,
        runId,
      );
    const parsed = parseVerdict(await actions.outputOf(run));
    return "trouble" in parsed ? lost(parsed.trouble, runId) : { by: "agent", ...parsed, runId };
  } catch (error) {
    actions.signal.throwIfAborted();
    return lost(messageOf(error), runId);
  }
}

function lost(trouble: string, runId?: string): Finding {
  return { by: "agent", verdict: null, trouble, ...(runId !== undefined && { runId }) };
}
