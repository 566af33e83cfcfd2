// The shapes in which results are kept: a baseline, the lines of a journal, a report. Files come from anywhere, so
// nothing in them is taken for granted.
import { z } from "zod";
import { isAmount } from "../../core/metrics.ts";

const LONGEST_NAME = 10_000;
const MAX_RUNS = 1_000_000;

const name = z.string().max(LONGEST_NAME);
const outcome = z.enum(["pass", "fail", "unevaluated"]);
/** A metric with an impossible value is dropped. */
const amount = z
  .number()
  .nullable()
  .transform((value) => (isAmount(value) ? value : null));
const reported = amount.transform((value) => value ?? undefined).optional();
const identity = { suite: name, test_id: name, agent: name, outcome };

export const resultCaseSchema = z.object({
  ...identity,
  key: name,
  runs: z
    .array(z.object({ outcome, score: amount, duration_ms: amount, total_tokens: amount, cost_usd: amount }))
    .max(MAX_RUNS),
  gated: z.boolean().exactOptional(),
});

export const BASELINE_TYPE = "proctor.baseline";
export const BASELINE_VERSION = 1;

export const baselineSchema = z.object({
  type: z.literal(BASELINE_TYPE),
  version: z.literal(BASELINE_VERSION),
  created_at: z.iso.datetime(),
  incomplete: z.string().max(LONGEST_NAME).exactOptional(),
  cases: z.array(resultCaseSchema),
});

/** The fields of a JSON reporter's case that comparisons use. */
export const reportCaseSchema = z.object({
  ...identity,
  gate: z.looseObject({}).nullish(),
  runs: z
    .array(
      z.object({
        outcome,
        score: amount.optional(),
        ran_at: z.string().nullish(),
        failure: z.looseObject({ code: z.string() }).nullish(),
        metrics: z.object({
          wall_time_seconds: reported,
          total_tokens: reported,
          cost_usd: reported,
        }),
      }),
    )
    .max(MAX_RUNS),
});

/** The summary at the end of a journal or a report. */
export const endSchema = z.object({
  total: z.number(),
  not_run: z.number(),
  stopped: z.string().nullish(),
});
