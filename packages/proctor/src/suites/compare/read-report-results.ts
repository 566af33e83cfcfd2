// The cases of a JSON report. It has more than is needed here, and no keys: what has been edited since cannot be told.
import type { JsonObject } from "../../core/json.ts";
import { z } from "zod";
import { comparedCase, comparedRun } from "./compared-outcomes.ts";
import type { ResultCase, ResultRun, ResultSet } from "./comparison.ts";
import { incompleteBecause } from "./incomplete.ts";
import { endSchema, reportCaseSchema } from "./result-schemas.ts";
import { parseResults } from "./results-error.ts";

type ReportCase = z.output<typeof reportCaseSchema>;

/** `changedAt` is the modification time of the file, used for a report without any run. */
export function readReportResults(
  document: JsonObject,
  file: string,
  changedAt: Date,
): Omit<ResultSet, "name"> {
  const cases = parseResults(z.array(reportCaseSchema), document["cases"], file, "cases");
  const incomplete = incompleteBecause(parseResults(endSchema, document["summary"], file, "summary"));
  let latest = "";
  for (const { ran_at: at } of cases.flatMap(({ runs }) => runs)) if (at != null && at > latest) latest = at;
  return {
    created_at: latest === "" ? changedAt.toISOString() : latest,
    cases: cases.map(resultCase),
    ...(incomplete !== undefined && { incomplete }),
  };
}

function resultCase({ suite, test_id, agent, outcome, runs, gate }: ReportCase): ResultCase {
  return {
    suite,
    test_id,
    agent,
    key: "",
    outcome: comparedCase(outcome, runs),
    runs: runs.map((run) => resultRun(run)),
    ...(gate != null && { gated: true }),
  };
}

function resultRun(run: ReportCase["runs"][number]): ResultRun {
  const { score, metrics } = run;
  return {
    outcome: comparedRun(run),
    score: score ?? null,
    duration_ms: metrics.wall_time_seconds === undefined ? null : metrics.wall_time_seconds * 1000,
    total_tokens: metrics.total_tokens ?? null,
    cost_usd: metrics.cost_usd ?? null,
  };
}
