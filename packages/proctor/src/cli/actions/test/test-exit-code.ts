// The exit code of `proctor test`.
import { suiteOutcome, type Summary } from "../../../suites/result.ts";

/** Returns the exit code. A baseline that lacks something, or with which nothing could be compared, lets nothing pass. */
export function testExitCode(summary: Summary): number {
  if (summary.interrupted) return 130;
  // Nothing failed the last time, or this shard is empty: there was nothing to do.
  if (summary.total === 0) return 0;
  const outcome = suiteOutcome(summary);
  const compared = summary.comparison?.outcome ?? "pass";
  if (outcome === 1 || compared === "fail") return 1;
  return compared === "pass" ? outcome : 3;
}
