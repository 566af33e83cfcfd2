// What the end of a report says in words, the same in all of them: why it stopped, where runs come from, who won.
import type { Contest } from "../contest.ts";
import type { AttemptResult, CaseResult, RunTotals, StopReason, Summary } from "../result.ts";
import { formatCount } from "./amounts.ts";

const STOPPED: Record<StopReason, string> = {
  interrupted: "interrupted",
  "fail-fast": "stopped by --fail-fast",
  "max-cost": "stopped by --max-cost",
};

/** Returns words such as `interrupted, 3 not run`; undefined when everything was run. */
export function stoppedText({ stopped, interrupted, notRun }: Summary): string | undefined {
  if (stopped === undefined && !interrupted && notRun.length === 0) return undefined;
  return `${STOPPED[stopped ?? "interrupted"]}, ${formatCount(notRun.length)} not run`;
}

/** Returns words such as `2 skipped: gpu-task, windows-task`; undefined when none was. */
export function skippedText({ skipped = [] }: Summary): string | undefined {
  if (skipped.length === 0) return undefined;
  const named = skipped.slice(0, NAMED).map(({ id }) => id);
  const more = skipped.length > NAMED ? `, … and ${formatCount(skipped.length - NAMED)} more` : "";
  return `${formatCount(skipped.length)} skipped: ${named.join(", ")}${more}`;
}

const NAMED = 20;
const ELSEWHERE = ["resumed", "cached", "rescored", "replayed"] as const;

/** Returns words such as `3 cached, 1 resumed`; empty when all runs were made now. */
export function sourcesText(runs: Pick<RunTotals, (typeof ELSEWHERE)[number]>): string {
  return ELSEWHERE.filter((source) => runs[source] > 0)
    .map((source) => `${formatCount(runs[source])} ${source}`)
    .join(", ");
}

export function countSources(
  attempts: readonly AttemptResult[],
): Pick<RunTotals, (typeof ELSEWHERE)[number]> {
  const counts = { resumed: 0, cached: 0, rescored: 0, replayed: 0 };
  for (const { source } of attempts) if (source !== "run") counts[source] += 1;
  return counts;
}

/** Whether some runs of the case passed and some failed. */
export function isFlaky({ statistics }: Pick<CaseResult, "statistics">): boolean {
  return statistics.passed > 0 && statistics.failed > 0;
}

/** Returns words such as `winner of greets: alpha (quality 0.9 against 0.8)`. */
export function contestText({ test_id, winner, reason }: Contest): string {
  const why = reason === "" ? "" : ` (${reason})`;
  return winner === null ? `no winner of ${test_id}${why}` : `winner of ${test_id}: ${winner}${why}`;
}
