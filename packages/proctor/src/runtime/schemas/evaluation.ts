// Evaluations as clients record them, with their limits, whichever endpoint they come through; documents for readers are in server/schemas.
import { z } from "zod";
import { EVALUATION_LIMITS, EVALUATION_STOPS } from "../../core/evaluation.ts";
import { OUTCOMES } from "../../core/outcome.ts";
import { boundedInt } from "./bounded.ts";

const { nameChars, textChars } = EVALUATION_LIMITS;
const MAX_COUNT = 1_000_000_000_000;

/** A name without NUL, which a column of text cannot hold. */
const nameText = z
  .string()
  .max(nameChars)
  .regex(/^[^\0]*$/, "holds a NUL character");
const text = z.string().max(textChars);
const count = boundedInt(0, MAX_COUNT);
const amount = z.number().min(0);
const share = z.number().min(0).max(1);
const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "expected a UUID in lower case");

export const EvaluationOutcome = z.enum(OUTCOMES).meta({ id: "EvaluationVerdict" });
export const CaseChangeName = z
  .enum(["regressed", "improved", "unchanged", "undecided", "new", "missing"])
  .meta({ id: "CaseChange", description: "How a case compares with the baseline." });

export const EvaluationSuiteBody = z
  .strictObject({ name: nameText, file: nameText })
  .meta({ id: "EvaluationSuite" });

export const EvaluationTotalsBody = z
  .strictObject({
    cases: count.describe("Cases that have settled so far."),
    passed: count,
    failed: count,
    unevaluated: count,
    skipped: count.describe("Tests that were left out because they cannot be run."),
    runs: count,
    total_tokens: amount,
    cost_usd: amount,
  })
  .meta({ id: "EvaluationTotals" });

export const EvaluationPlanBody = z
  .strictObject({ cases: count, runs: count.describe("At most: a `pass_rate` may be decided earlier.") })
  .meta({ id: "EvaluationPlan" });

export const EvaluationMetadataBody = z
  .strictObject({
    git_commit: nameText.nullable(),
    git_branch: nameText.nullable(),
    host: nameText.nullable(),
    proctor_version: nameText.nullable(),
  })
  .meta({ id: "EvaluationMetadata" });

export const NewEvaluationBody = z
  .strictObject({
    id: uuid.describe("The client's choice; the same one again is the same evaluation."),
    owner: uuid.describe("Of the client's process: only the owner writes to an evaluation."),
    name: nameText.min(1),
    suites: z.array(EvaluationSuiteBody).max(EVALUATION_LIMITS.suites),
    agents: z.array(nameText).max(EVALUATION_LIMITS.agents),
    planned: EvaluationPlanBody,
    skipped: count,
    metadata: EvaluationMetadataBody,
    resume: z
      .boolean()
      .optional()
      .describe("Whether an evaluation that was interrupted goes on under this id."),
    replaces: uuid
      .optional()
      .describe("The owner before, which is known to be gone: its lease is not waited for."),
  })
  .meta({ id: "NewEvaluation" });

const EvaluationCheckBody = z
  .strictObject({
    type: nameText,
    verdict: EvaluationOutcome,
    reason: text,
    critical: z.boolean(),
    turn: z.int().min(1).nullable(),
  })
  .meta({ id: "EvaluationCheck" });

const checks = z.array(EvaluationCheckBody).max(EVALUATION_LIMITS.checks);

const EvaluationRunBody = z
  .strictObject({
    number: count,
    run_id: nameText.nullable().describe("Null when the hub did not take it."),
    verdict: EvaluationOutcome,
    source: nameText.describe("`run`: the agent did it now. All others were done before."),
    status: nameText.nullable(),
    score: z.number().nullable(),
    failure_code: nameText.nullable(),
    reason: text.nullable(),
    latency_ms: amount.nullable(),
    cost_usd: amount.nullable(),
    total_tokens: amount.nullable(),
    checks,
  })
  .meta({ id: "EvaluationRun" });

const PassRateBody = z
  .strictObject({ value: share, low: share, high: share, confidence: share })
  .meta({ id: "PassRate", description: "The share of passes, with its Wilson interval." });

/** Fields that say what a case is and how it came out. */
export const summaryFields = {
  number: count.describe("The place of the case in the plan, from 0."),
  suite: nameText,
  test_id: nameText,
  name: nameText,
  agent: nameText,
  key: nameText.describe("Hash of the task, its environment and its checks."),
  verdict: EvaluationOutcome,
  runs: count,
  pass_rate: PassRateBody.nullable(),
  flakiness: share.nullable().describe("The chance that two runs disagree."),
  cost_usd: amount.nullable(),
  total_tokens: amount.nullable(),
  duration_ms: amount,
};

export const detailFields = {
  file: nameText,
  line: count,
  tags: z.array(nameText).max(EVALUATION_LIMITS.tags),
  reason: text.nullable(),
  gated: z.boolean().describe("Whether a `pass_rate` decided when to stop."),
  checks: checks.describe("Those that judge all runs together."),
  run_results: z.array(EvaluationRunBody).max(EVALUATION_LIMITS.runs),
  runs_omitted: count.describe("Runs that are not in the list because there were too many."),
};

const NewEvaluationCaseBody = z
  .strictObject({ ...summaryFields, ...detailFields })
  .meta({ id: "NewEvaluationCase" });

const Side = z
  .strictObject({
    outcome: EvaluationOutcome,
    runs: count,
    unevaluated: count.optional(),
    passed: count,
    rate: share.nullable(),
    low: z.number(),
    high: z.number(),
    score: z.number().nullable(),
    latency_ms: z.number().nullable(),
    cost_usd: z.number().nullable(),
  })
  .meta({ id: "SideOfCase" });

export const CaseComparisonBody = z
  .strictObject({
    suite: nameText,
    test_id: nameText,
    agent: nameText,
    change: CaseChangeName,
    edited: z.boolean().describe("Whether the case itself was edited since."),
    before: Side.nullable(),
    after: Side.nullable(),
    p_worse: z.number().nullable().describe("p of Fisher's exact test, one-sided towards worse."),
    p_worse_adjusted: z.number().nullable().describe("The same after Holm's correction over all cases."),
    p_better_adjusted: z.number().nullable(),
    p_score: z.number().nullable(),
    detectable_drop: z.number().nullable(),
    runs_needed: z.number().nullable().optional(),
  })
  .meta({ id: "CaseComparison" });

const ComparedSet = z.strictObject({ name: nameText, created_at: nameText }).meta({ id: "ComparedSet" });

/** Fields that say what a comparison found over all cases together. */
export const comparisonFields = {
  before: ComparedSet,
  after: ComparedSet,
  alpha: share,
  overall: z
    .strictObject({
      cases: count,
      only_before: count,
      only_after: count,
      p_worse: z.number(),
      p_better: z.number(),
      p_worse_adjusted: z.number().optional(),
      p_better_adjusted: z.number().optional(),
      score_difference: z.number().nullable(),
      p_score: z.number().nullable(),
      detectable_flips: z.number(),
    })
    .meta({ id: "OverallComparison" }),
  measures: z
    .array(
      z
        .strictObject({
          name: z.enum(["score", "latency_ms", "cost_usd"]).meta({ id: "MeasureName" }),
          before: z.number(),
          after: z.number(),
          cases: count,
          p: z.number(),
          p_adjusted: z.number(),
        })
        .meta({ id: "ComparedMeasure" }),
    )
    .max(10)
    .optional(),
  regression: z.boolean().describe("Whether something got significantly worse."),
  outcome: EvaluationOutcome,
  findings: z.array(text).max(EVALUATION_LIMITS.findings).describe("In words, one line each."),
};

export const EvaluationComparisonBody = z
  .strictObject({
    ...comparisonFields,
    changes: z
      .strictObject({
        regressed: count,
        improved: count,
        unchanged: count,
        undecided: count,
        new: count,
        missing: count,
      })
      .meta({ id: "CaseChanges" }),
  })
  .meta({ id: "EvaluationComparison" });

export const EvaluationRecordBody = z
  .strictObject({
    owner: uuid,
    totals: EvaluationTotalsBody.optional(),
    cases: z.array(NewEvaluationCaseBody).max(EVALUATION_LIMITS.batch).optional(),
    comparisons: z.array(CaseComparisonBody).max(EVALUATION_LIMITS.batch).optional(),
  })
  .meta({ id: "EvaluationRecord", description: "What has settled; without anything it is a heartbeat." });

export const EvaluationStopName = z.enum(EVALUATION_STOPS).meta({ id: "EvaluationStop" });

export const EvaluationEndBody = z
  .strictObject({
    owner: uuid,
    status: z.enum(["completed", "interrupted"]).meta({ id: "EvaluationEndStatus" }),
    stopped: EvaluationStopName.nullable().describe("Why not everything was run."),
    exit_code: boundedInt(0, 255).nullable(),
    totals: EvaluationTotalsBody,
    comparison: EvaluationComparisonBody.nullable(),
  })
  .meta({ id: "EvaluationEnd" });
