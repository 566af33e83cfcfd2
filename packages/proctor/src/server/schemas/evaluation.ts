// Evaluations as clients read them. How they are recorded is in runtime/schemas.
import { z } from "zod";
import { EVALUATION_STATUSES } from "../../core/evaluation.ts";
import { boundedInt, boundedText } from "../../runtime/schemas/bounded.ts";
import {
  CaseChangeName,
  CaseComparisonBody,
  comparisonFields,
  detailFields,
  EvaluationComparisonBody,
  EvaluationMetadataBody,
  EvaluationOutcome,
  EvaluationPlanBody,
  EvaluationStopName,
  EvaluationSuiteBody,
  EvaluationTotalsBody,
  summaryFields,
} from "../../runtime/schemas/evaluation.ts";
import { listOf, MAX_SEQUENCE, PageQuery, Timestamp } from "./common.ts";

const EvaluationStatusName = z.enum(EVALUATION_STATUSES).meta({
  id: "EvaluationStatus",
  description: "`interrupted` also when the client went silent before it said that it was done.",
});

export const EvaluationDocument = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status: EvaluationStatusName,
    started_at: Timestamp,
    ended_at: Timestamp.nullable(),
    suites: z.array(EvaluationSuiteBody),
    agents: z.array(z.string()),
    planned: EvaluationPlanBody,
    totals: EvaluationTotalsBody,
    stopped: EvaluationStopName.nullable().describe("Why not everything was run."),
    exit_code: z.int().nullable().describe("That of `proctor test`; null until it has ended."),
    comparison: EvaluationComparisonBody.nullable().describe("With the baseline; its cases hold theirs."),
    metadata: EvaluationMetadataBody,
    started_by: z.string().describe("`operator`, or the token that recorded it."),
    resumed: z.int().min(0).describe("How many times a later invocation continued it."),
    alive_until: Timestamp.nullable().describe("Until when its client is taken to be there."),
  })
  .meta({ id: "Evaluation", description: "One invocation of suites with all its verdicts." });

export const EvaluationList = listOf("EvaluationList", EvaluationDocument);

const caseFields = {
  id: z.string().describe("The same for the same suite, test and agent in every evaluation."),
  evaluation_id: z.string(),
  ...summaryFields,
  settled_at: Timestamp,
  change: CaseChangeName.nullable().describe("Since the baseline; null where there is none."),
};

const CaseSummaryDocument = z.strictObject(caseFields).meta({ id: "CaseSummary" });

const EvaluationCaseDocument = z
  .strictObject({ ...caseFields, ...detailFields, comparison: CaseComparisonBody.nullable() })
  .meta({ id: "EvaluationCase", description: "How one test came out with one agent." });

export const EvaluationCaseList = listOf("EvaluationCaseList", EvaluationCaseDocument);

const CasePointDocument = z
  .strictObject({
    ...caseFields,
    evaluation_name: z.string(),
    evaluation_status: EvaluationStatusName,
    git_commit: z.string().nullable(),
  })
  .meta({ id: "CasePoint", description: "How a case came out in one evaluation." });

export const CaseHistory = listOf("CaseHistory", CasePointDocument);

const MatrixCellDocument = z
  .strictObject({
    case_id: z.string(),
    number: z.int().min(0).describe("The place of the case in the plan, from 0."),
    agent: z.string(),
    verdict: EvaluationOutcome,
    runs: z.int().min(0),
    pass_rate: z.number().nullable(),
    low: z.number().nullable().describe("The Wilson interval of the pass rate begins here."),
    high: z.number().nullable(),
    flakiness: z.number().nullable(),
    cost_usd: z.number().nullable(),
    duration_ms: z.number(),
    change: CaseChangeName.nullable(),
  })
  .meta({ id: "MatrixCell" });

export const EvaluationMatrixDocument = z
  .strictObject({
    evaluation_id: z.string(),
    agents: z.array(z.string()),
    tests: z.array(
      z
        .strictObject({
          suite: z.string(),
          test_id: z.string(),
          name: z.string(),
          cells: z.array(MatrixCellDocument).describe("One for each agent that the test has settled with."),
        })
        .meta({ id: "MatrixRow" }),
    ),
    next_cursor: z.string().nullable().describe("Null when all cases are here."),
  })
  .meta({ id: "EvaluationMatrix" });

export const ComparisonDocument = z
  .strictObject({ ...comparisonFields, cases: z.array(CaseComparisonBody) })
  .meta({ id: "Comparison", description: "What `proctor compare` says of two sets of results." });

export const EvaluationEventDocument = z
  .strictObject({
    type: z
      .enum(["evaluation.changed", "evaluation.case", "evaluation.removed"])
      .meta({ id: "EvaluationEventType" }),
    evaluation_id: z.string(),
    evaluation: EvaluationDocument.optional().describe("With `evaluation.changed`."),
    case: CaseSummaryDocument.optional().describe("With `evaluation.case`."),
  })
  .meta({ id: "EvaluationEvent", description: "The state that something of an evaluation has now." });

const name = boundedText(500);

export const EvaluationQueryParams = PageQuery.extend({
  suite: name.optional().describe("Name of a suite."),
  agent: name.optional().describe("An agent as reports name it."),
  status: z.array(EvaluationStatusName).optional().describe("One or more, repeated or separated by commas."),
  prefix: boundedText(36).optional().describe("What the evaluation's id begins with."),
});

export const CaseQueryParams = PageQuery.extend({
  verdict: z.array(EvaluationOutcome).optional().describe("One or more, repeated or separated by commas."),
  suite: name.optional(),
  agent: name.optional(),
  case: boundedText(64).optional().describe("Only the case of this id."),
  order: z
    .enum(["plan", "failing"])
    .meta({ id: "CaseOrder" })
    .optional()
    .describe("`failing`: those that failed first, then those that were not evaluated. `plan` when absent."),
});

const MATRIX_LIMIT = 10_000;

export const MatrixQueryParams = PageQuery.extend({
  limit: boundedInt(1, MATRIX_LIMIT)
    .optional()
    .describe(`How many cases at most; ${MATRIX_LIMIT} when absent.`),
});

export const HistoryQueryParams = PageQuery.extend({ agent: name.optional() });

export const RemoveQueryParams = z.strictObject({
  runs: z.enum(["true", "false"]).optional().describe("`true`: with the runs that were made for it."),
});

export const EvaluationStreamParams = z.strictObject({
  after: boundedInt(0, MAX_SEQUENCE)
    .optional()
    .describe("Only what changed after this position; everything when absent."),
  access_token: z
    .string()
    .optional()
    .describe("The bearer token, for a browser's EventSource, which cannot send headers."),
});
