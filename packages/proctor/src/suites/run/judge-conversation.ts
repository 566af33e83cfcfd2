// Judges a conversation: the checks of each turn on its run, those of the test on all of it together. A single run is a conversation of one turn.
import { saysNothing } from "../../core/says-nothing.ts";
import type { CheckSubject } from "../check.ts";
import type { PlannedCase } from "../plan.ts";
import type { CheckResult } from "../result.ts";
import type { SuiteCheck } from "../suite.ts";
import { combineOutcomes, type Outcome } from "../verdict.ts";
import type { Stop } from "../talk/user-side.ts";
import { evaluate, whyEnded, weigh, type Judgement } from "./judge.ts";
import { scoreOf } from "./score.ts";

interface Conversation {
  /** What the checks of a turn see, turn by turn. */
  turns: readonly CheckSubject[];
  /** What the checks of the test see. */
  whole: CheckSubject;
  /** Reason why the conversation could not go on. */
  stop?: Stop | undefined;
}

export async function judgeConversation(
  { test }: Pick<PlannedCase, "test">,
  { turns, whole, stop }: Conversation,
): Promise<Judgement> {
  const { run } = whole;
  const failure = stop?.failure ?? run.failure;
  const base = {
    runId: run.id,
    status: run.status,
    metrics: run.metrics,
    ...(failure && { failure }),
  };
  // What the user's side broke off says nothing about the agent, not even what it did before.
  if (stop?.outcome === "unevaluated")
    return { ...base, outcome: "unevaluated", reason: stop.reason, checks: [] };

  const checks: CheckResult[] = [];
  const ends: Outcome[] = [];
  const reasons: string[] = [];
  for (const [index, subject] of turns.entries()) {
    const own = test.turns?.[index]?.checks ?? [];
    const isLast = index === turns.length - 1;
    // The suite itself ended the last run, and says why.
    if (stop && isLast) continue;
    const counted = isLast ? [...own, ...test.checks] : own;
    const end = endOf(subject, counted);
    if (end.judged)
      checks.push(...(await evaluate(own, subject)).map((check) => ({ ...check, turn: index + 1 })));
    if (end.outcome === "pass") continue;
    ends.push(end.outcome);
    reasons.push(turns.length > 1 ? `turn ${index + 1}: ${whyEnded(subject.run)}` : whyEnded(subject.run));
  }
  const last = turns.at(-1);
  if (
    !stop &&
    last &&
    endOf(last, [...(test.turns?.at(turns.length - 1)?.checks ?? []), ...test.checks]).judged
  ) {
    checks.push(...(await evaluate(test.checks, whole)));
  }
  const planned = test.turns?.length ?? 0;
  if (stop) {
    ends.push("fail");
    reasons.push(stop.reason);
  } else if (turns.length < planned && reasons.length === 0) {
    ends.push("fail");
    reasons.push(`the conversation ended in turn ${turns.length} of ${planned}`);
  }
  const score = stop ? 0 : scoreOf(run, checks, test.scoring);
  return {
    ...base,
    ...(score !== undefined && { score }),
    outcome: combineOutcomes([weigh(test, checks), ...ends]),
    ...(reasons.length > 0 && { reason: reasons.join("; ") }),
    checks,
  };
}

/**
 * Whether a run can be judged by these checks, and what its end means by itself. A test that expects a certain end, or checks what a run left
 * behind, grades runs that did not complete, too.
 */
function endOf({ run }: CheckSubject, checks: readonly SuiteCheck[]): { judged: boolean; outcome: Outcome } {
  const stopped = saysNothing(run);
  const isChecked = checks.some(({ judgesAnyEnd }) => judgesAnyEnd) && !stopped;
  const judged = run.status === "completed" || run.status === "partial" || isChecked;
  const outcome = run.status === "completed" || isChecked ? "pass" : stopped ? "unevaluated" : "fail";
  return { judged, outcome };
}
