// Decides how a run ended, from the agent's report and from what the engine knows better, and writes it: with the next
// attempt in the same commit when the retry policy asks for one.
import type { EventDraft } from "../core/event.ts";
import type { Capabilities } from "../core/ports/capabilities.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AgentEnd } from "../core/ports/driver.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { failure } from "../core/failure.ts";
import { metricProblem, possibleMetrics } from "../core/metrics.ts";
import type { Run } from "../core/run.ts";
import type { Canary } from "./canary.ts";
import { judgeOutput } from "./capability-contract.ts";
import { exceededLimit } from "./limits.ts";
import { nextAttempt } from "./new-run.ts";
import type { Recorder } from "./recorder.ts";
import { retryDelayMs } from "../core/retry-delay.ts";
import { shouldRetry } from "./retry.ts";
import type { StopCause } from "./stopper.ts";
import type { AttemptLog } from "./attempt-log.ts";

export async function concludeRun(input: {
  deps: { clock: Clock; random: () => number; capabilities?: Capabilities };
  claimed: ClaimedRun;
  recorder: Recorder;
  log: AttemptLog;
  canary: Canary | undefined;
  end: AgentEnd;
  cause: StopCause | undefined;
}): Promise<{ successor: string | null }> {
  const { deps, claimed, recorder } = input;
  const said = await withoutImpossible(withoutOurs(input.end), input.log);
  const end = judge({
    ...input,
    end: await judgeOutput(said, claimed.run, input.log, deps.capabilities),
  });
  const { successor, ended } = planEnd(claimed, end, deps);
  for (const draft of withdrawals(input.log.state.run)) void input.log.record(draft);
  await recorder.finish(ended, successor && { successor });
  return { successor: successor?.id ?? null };
}

/** Returns events that withdraw the open questions, of which an ended run has none. */
export function withdrawals({ questions }: Pick<Run, "questions">, reason = "the run ended"): EventDraft[] {
  return questions.map(({ id }) => ({ type: "question.withdrawn", payload: { id, reason } }));
}

/** Returns the `run.ended` event for this end, and the run that takes over. */
export function planEnd(
  claimed: ClaimedRun,
  end: AgentEnd,
  deps: { clock: Clock; random: () => number },
): { ended: EventDraft; successor?: ReturnType<typeof nextAttempt> } {
  const { retry, attempt } = claimed.run;
  const successor =
    retry !== null && shouldRetry(retry, attempt, end.status, end.failure)
      ? nextAttempt(claimed, retryDelayMs(retry, attempt, deps.random()), deps.clock.now())
      : undefined;
  const ended: EventDraft = {
    type: "run.ended",
    payload: { ...end, ...(successor && { retried_as: successor.id }) },
  };
  return successor ? { ended, successor } : { ended };
}

/** Drops metrics that only the platform may count. */
function withoutOurs(end: AgentEnd): AgentEnd {
  if (end.metrics?.observed_tool_calls === undefined) return end;
  const { observed_tool_calls: _, ...metrics } = end.metrics;
  return { ...end, metrics };
}

/** Leaves out impossible metrics and records a violation for each. */
async function withoutImpossible(end: AgentEnd, log: AttemptLog): Promise<AgentEnd> {
  const { metrics = {} } = end;
  const possible = possibleMetrics(metrics);
  if (possible === metrics) return end;
  for (const [name, value] of Object.entries(metrics)) {
    const problem = metricProblem(name, value);
    if (problem === undefined) continue;
    const message = `${name} ${problem}, and is ${JSON.stringify(value)}; it is left out`;
    await log.record({
      type: "violation",
      payload: { rule: "metrics.value", message, where: `metrics.${name}` },
    });
  }
  return { ...end, metrics: possible };
}

function judge({ end, cause, log, canary, claimed }: Parameters<typeof concludeRun>[0]): AgentEnd {
  canary?.look(JSON.stringify(end), "its response");
  const leaked = canary?.failure();
  if (leaked) return { ...end, status: "failed", failure: leaked };
  if (cause) return { ...end, status: cause.status, failure: cause.failure };
  const { constraints, options } = claimed.run;
  const excess = exceededLimit({ ...log.state.run.metrics, ...end.metrics }, constraints);
  if (excess) return { ...end, status: "failed", failure: excess };
  const { count, first } = log.violations;
  const forgiven = options.strict !== true || first === undefined;
  if (forgiven || (end.status !== "completed" && end.status !== "partial")) return end;
  const more = count === 1 ? "" : `, and ${count - 1} more`;
  const message = `the agent broke its protocol: ${first.rule}: ${first.message}${more}`;
  return {
    ...end,
    status: "failed",
    failure: failure("PROTOCOL_VIOLATION", message, { rule: first.rule, count }),
  };
}
