// How often a test runs, what its score is made of, and when enough of its runs have passed: as it is written.
import { z } from "zod";
import { dispatch } from "../../runtime/yaml/findings.ts";
import { integerUpTo, numberUpTo } from "../../runtime/yaml/scalars.ts";
import type { GateRule } from "../statistics/sequential.ts";
import type { ContestRule, Scoring } from "../suite.ts";

export const MAX_RUNS = 10_000;
const DEFAULT_CONFIDENCE = 0.95;
const DEFAULT_MAX_RUNS = 100;
/** Weights may be rounded. */
const SLACK = 0.01 + 1e-9;

const weight = numberUpTo(0, 1).optional();

export const scoringSchema: z.ZodType<Scoring> = z
  .strictObject({
    quality_weight: weight,
    completeness_weight: weight,
    efficiency_weight: weight,
    cost_weight: weight,
  })
  .transform((given, context): Scoring => {
    const { quality_weight = 0, completeness_weight = 0, efficiency_weight = 0, cost_weight = 0 } = given;
    const sum = quality_weight + completeness_weight + efficiency_weight + cost_weight;
    if (Math.abs(sum - 1) > SLACK) {
      const message = `the weights add up to ${Number(sum.toFixed(4))}, not to 1`;
      context.addIssue({
        code: "custom",
        message,
        params: { hint: "a weight that is not given counts as 0" },
      });
    }
    return { quality_weight, completeness_weight, efficiency_weight, cost_weight };
  });

/** A share above 0 and below 1. */
const share = numberUpTo(0, 1)
  .superRefine((value, context) => {
    if (value > 0 && value < 1) return;
    const message =
      value === 1 ? "every run must pass without it" : `a share of the runs is more than 0 and less than 1`;
    const params = value === 1 ? { hint: `leave "pass_rate" out: every run must pass` } : {};
    context.addIssue({ code: "custom", message, params });
  })
  .meta({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 });

const confidence = numberUpTo(0, 1)
  .refine((value) => value > 0 && value < 1, `"confidence" is more than 0 and less than 1`)
  .meta({ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 });

const passRateForm = z.strictObject({
  at_least: share.describe("The share of runs that must pass: above 0, below 1."),
  confidence: confidence.default(DEFAULT_CONFIDENCE).describe("How sure that must be; 0.95 when not said."),
  max_runs: integerUpTo(1, MAX_RUNS).optional().describe("So many runs at most."),
  sequential: z
    .boolean()
    .default(true)
    .describe("Stop as soon as it is decided. False: look once, at the end."),
});

type PassRate = z.output<typeof passRateForm>;

const shortForm = share.transform((at_least): PassRate => ({
  at_least,
  confidence: DEFAULT_CONFIDENCE,
  sequential: true,
}));

export const passRateSchema: z.ZodType<PassRate> = dispatch<PassRate>(
  (value) => (typeof value === "object" && value !== null ? passRateForm : shortForm),
  { forms: () => [shortForm, passRateForm] },
);

/** `said` is the value of `runs_per_test`. */
export function gateOf({ max_runs, ...rest }: PassRate, said = 1): GateRule {
  return { ...rest, max_runs: max_runs ?? (said > 1 ? said : DEFAULT_MAX_RUNS) };
}

const INSTEAD =
  "put the agents behind one that hands the work over, and test that one; `mode: comparison` runs them side by side";

const MODES = ["comparison", "collaboration", "handoff"] as const;

export const modeSchema: z.ZodType<"comparison"> = z
  .enum(MODES)
  .transform((mode, context): "comparison" => {
    if (mode === "comparison") return mode;
    const message = `the mode "${mode}" is not supported: each agent does the whole task on its own`;
    context.addIssue({ code: "custom", message, params: { at: "key", hint: INSTEAD } });
    return z.NEVER;
  })
  .meta({ enum: ["comparison"] });

export const REFUSED_CONFIG = { reason: "each agent does the whole task on its own", instead: INSTEAD };

export const comparisonSchema: z.ZodType<ContestRule> = z
  .strictObject({
    metrics: z
      .array(z.enum(["quality", "speed", "cost"]))
      .min(1)
      .default(["quality", "speed", "cost"])
      .describe("What decides, the first before the second."),
    determine_winner: z.boolean().default(true),
    parallel_execution: z.boolean().default(true).describe("False: the agents work one after the other."),
  })
  .transform(({ metrics, determine_winner, parallel_execution }) => ({
    metrics: [...new Set(metrics)],
    determineWinner: determine_winner,
    parallel: parallel_execution,
  }));
