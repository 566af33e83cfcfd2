// Whether an output is good enough: schema, checks, an agent, a person, in this order, as far as the review names them. Who cannot judge
// rejects nothing and approves nothing: then a person decides.
import type { SubtaskReview } from "../../core/goal.ts";
import type { Review } from "../../core/plan.ts";
import { askPerson } from "./ask-person.ts";
import type { Reviewer, ReviewActions, ReviewOutcome, ReviewQuestion, RunChecks } from "./contract.ts";
import { findMismatch, judgeByAgent, judgeByChecks, type Finding } from "./stages.ts";

/** Number of further attempts that stages may ask for, unless the review says otherwise. */
const DEFAULT_ROUNDS = 2;

export function createReviewer(deps: { checks?: RunChecks }): Reviewer {
  async function* findings(question: ReviewQuestion, actions: ReviewActions): AsyncGenerator<Finding> {
    const { review } = question;
    const mismatch = findMismatch(question);
    // Only a mismatch is recorded, to keep matching schemas out of every sub-task's log.
    if (mismatch) yield mismatch;
    if (review.checks !== undefined && review.checks.length > 0)
      yield judgeByChecks(question, deps.checks, actions.signal);
    if (review.agent !== undefined) yield judgeByAgent(question, actions);
  }

  return async (question, actions) => {
    const found: Finding[] = [];
    for await (const said of findings(question, actions)) {
      const finding = bounded(said, question);
      found.push(finding);
      await actions.record(recordOf(finding));
      const { verdict } = finding;
      if (verdict === "retry") return retry(finding);
      if (verdict === "reject") return reject(finding);
      if (verdict !== "approve") return decideByPerson(question, found, actions);
    }
    return question.review.human === true ? decideByPerson(question, found, actions) : { verdict: "approve" };
  };
}

async function decideByPerson(
  question: ReviewQuestion,
  found: readonly Finding[],
  actions: ReviewActions,
): Promise<ReviewOutcome> {
  const finding = await askPerson(question, found, actions);
  await actions.record(recordOf(finding));
  switch (finding.verdict) {
    case "approve":
      return { verdict: "approve" };
    // A person may ask for any number of further attempts.
    case "retry":
      return retry(finding);
    case null:
      return reject({ by: "human", reason: nobodyJudged(found, finding.trouble ?? "") });
    default:
      return reject(finding);
  }
}

/** After enough attempts a stage no longer asks for another one: a person decides. */
function bounded(finding: Finding, { round, review }: ReviewQuestion): Finding {
  if (finding.verdict !== "retry" || round < roundsOf(review)) return finding;
  const reason = `${finding.reason ?? "it is still not good enough"} (after ${round} further attempts)`;
  return { ...finding, verdict: "escalate", reason };
}

function roundsOf({ rounds }: Review): number {
  return rounds ?? DEFAULT_ROUNDS;
}

function nobodyJudged(found: readonly Finding[], trouble: string): string {
  const last = found.at(-1);
  const before =
    last?.verdict === null
      ? `, after the review by ${last.by} failed (${last.trouble ?? ""})`
      : last?.verdict === "escalate"
        ? `, after ${last.by} escalated it`
        : "";
  return `nobody could judge the output: ${trouble}${before}`;
}

function recordOf({ by, verdict, feedback, reason, score, runId, trouble }: Finding): SubtaskReview {
  return {
    by,
    verdict,
    ...(feedback !== undefined && { feedback }),
    ...(reason !== undefined && { reason }),
    ...(score !== undefined && { score }),
    ...(runId !== undefined && { run_id: runId }),
    ...(trouble !== undefined && { trouble }),
  };
}

function retry({ feedback, reason }: Pick<Finding, "feedback" | "reason">): ReviewOutcome {
  // Without feedback, the reason for another attempt is the feedback.
  const told = feedback ?? reason;
  return {
    verdict: "retry",
    ...(told !== undefined && { feedback: told }),
    reason: reason ?? "the reviewer asked for another attempt",
  };
}

function reject({ by, reason }: Pick<Finding, "by" | "reason">): ReviewOutcome {
  return { verdict: "reject", reason: reason ?? `rejected by the stage "${by}"` };
}
