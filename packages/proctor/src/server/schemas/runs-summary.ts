// The totals of runs and evaluations, as clients read them.
import { z } from "zod";
import { RUN_STATUSES } from "../../core/run.ts";
import { Timestamp } from "./common.ts";

const count = z.int().min(0);

/** Number of cases by outcome. */
const cases = {
  passed: count,
  failed: count,
  unevaluated: count,
  pass_rate: z.number().nullable().describe("The share of passes among the evaluated cases."),
};

export const RunsSummaryQuery = z.strictObject({
  since: z.iso.datetime({ offset: true }).optional().describe("An hour ago when absent."),
});

export const RunsSummaryDocument = z
  .strictObject({
    since: Timestamp,
    bucket_seconds: z.int().min(60).describe("The length of a bucket: longer where the stretch is."),
    statuses: z
      .strictObject(Object.fromEntries(RUN_STATUSES.map((status) => [status, count])))
      .meta({ id: "RunCounts", description: "All runs by status, whenever they were created." }),
    runs: count.describe("Runs that were created in the stretch."),
    cost_usd: z.number(),
    duration_ms: z
      .strictObject({ runs: count, p50: z.number().nullable(), p95: z.number().nullable() })
      .meta({ id: "RunDurations", description: "Of the ended ones among the newest 2,000 of the stretch." }),
    buckets: z
      .array(
        z
          .strictObject({
            at: Timestamp,
            runs: count,
            cost_usd: z.number(),
            duration_ms: z
              .number()
              .nullable()
              .describe("The median of the ended ones among the newest 2,000 of the stretch."),
          })
          .meta({ id: "RunsBucket", description: "By when the runs were created." }),
      )
      .describe("Those with a run, in order."),
    evaluations: z
      .strictObject({
        evaluations: count,
        ...cases,
        buckets: z
          .array(
            z
              .strictObject({ at: Timestamp, ...cases })
              .meta({ id: "EvaluationsBucket", description: "By when the evaluations began." }),
          )
          .describe("Those with an evaluation, in order."),
      })
      .meta({
        id: "EvaluationTally",
        description: "The cases of the evaluations that began in the stretch.",
      }),
  })
  .meta({ id: "RunsSummary" });
