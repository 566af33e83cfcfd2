// The totals of recent runs and evaluations, for a page that shows them at a glance.
import { ProctorError } from "../../core/errors.ts";
import type { EvaluationTally } from "../../core/ports/evaluation-store.ts";
import type { RunsSummary } from "../../core/ports/store.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { routesOf, type Route } from "../route.ts";
import { RunsSummaryDocument, RunsSummaryQuery } from "../schemas/runs-summary.ts";

export interface SummarySource {
  runs(sinceMs: number, bucketMs: number): Promise<RunsSummary>;
  evaluations(sinceMs: number, bucketMs: number): Promise<EvaluationTally>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Number of buckets that a summary has at most: a longer period has longer ones. */
const MAX_BUCKETS = 240;

export function runsSummaryRoutes(source: SummarySource | undefined): Route[] {
  return routesOf({ tag: "Runs", unbound: true, scope: "runs:read" }, [
    {
      id: "getRunsSummary",
      at: "GET /runs/summary",
      summary: "Read what runs and evaluations come to",
      description:
        "The runs that were created since a moment, in buckets of at least a minute; all runs by status; and how many cases of the evaluations since then passed.",
      query: RunsSummaryQuery,
      responses: {
        200: { description: "The summary.", schema: RunsSummaryDocument },
        400: "`since` is no moment of the past.",
      },
      async handle({ request }) {
        const now = Date.now();
        const { since } = readQuery(request.url, RunsSummaryQuery);
        const sinceMs = since === undefined ? now - HOUR_MS : Date.parse(since);
        if (source === undefined)
          throw new ProctorError("NOT_SUPPORTED", "this hub keeps no summary of runs");
        const bucketMs = Math.max(1, Math.ceil((now - sinceMs) / MINUTE_MS / MAX_BUCKETS)) * MINUTE_MS;
        const { buckets, ...summary } = await source.runs(sinceMs, bucketMs);
        const { buckets: judged, ...tally } = await source.evaluations(sinceMs, bucketMs);
        return jsonResponse({
          since: new Date(sinceMs).toISOString(),
          bucket_seconds: bucketMs / 1000,
          ...summary,
          buckets: buckets.map(timed),
          evaluations: {
            ...tally,
            pass_rate: passRate(tally),
            buckets: judged.map((bucket) => ({ ...timed(bucket), pass_rate: passRate(bucket) })),
          },
        });
      },
    },
  ]);
}

function timed<T extends { at: number }>({ at, ...rest }: T): Omit<T, "at"> & { at: string } {
  return { at: new Date(at).toISOString(), ...rest };
}

function passRate({ passed, failed }: Pick<EvaluationTally, "passed" | "failed">): number | null {
  return passed + failed === 0 ? null : passed / (passed + failed);
}
