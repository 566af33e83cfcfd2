// Evaluations as a store keeps them: a part of a Store. Promises that resolve mean: committed to disk. Leases are compared with `now`, which
// the caller gives: a store has no clock.
import type { CaseComparison } from "../comparison.ts";
import type {
  CasePoint,
  CaseSummary,
  Evaluation,
  EvaluationCase,
  EvaluationStatus,
  PlacedEvaluationEvent,
} from "../evaluation.ts";
import type { Page, PageRequest } from "../page.ts";
import type { CaseQuery, EvaluationQuery } from "./evaluations.ts";

/** An evaluation as it was written: `running` although its client may be gone. */
export interface StoredEvaluation {
  evaluation: Evaluation;
  owner: string;
}

export interface EvaluationWrite {
  evaluation: Evaluation;
  owner: string;
  cases?: readonly EvaluationCase[];
  comparisons?: readonly { case_id: string; comparison: CaseComparison }[];
  /** Whether readers are notified of the evaluation itself: a mere heartbeat is not announced. */
  isNews: boolean;
}

/** Returns what to write for an evaluation as it is now (undefined when there is none); throws to write nothing. */
export type DecideEvaluation = (stored: StoredEvaluation | undefined) => EvaluationWrite;

export interface StoredHistoryQuery extends PageRequest {
  /** The case by its key or id, or by each pair of suite and test that its name may stand for. */
  key: string;
  names: readonly { suite: string; test_id: string }[];
  agent?: string;
  now: number;
}

export interface EvaluationStore {
  /** Reads, decides and writes in one commit. */
  write(id: string, decide: DecideEvaluation): Promise<Evaluation>;
  read(id: string): Promise<StoredEvaluation | undefined>;
  list(query: EvaluationQuery & { now: number }): Promise<Page<Evaluation>>;
  cases(id: string, query: CaseQuery): Promise<Page<EvaluationCase>>;
  /** Lists the cases without their details, in the order of the plan. */
  summaries(id: string, page: PageRequest & { most: number }): Promise<Page<CaseSummary>>;
  history(query: StoredHistoryQuery): Promise<Page<CasePoint>>;
  /** Removes the evaluation; resolves with whether there was one. */
  remove(id: string): Promise<boolean>;
  /** Lists changes after one position and up to another, in order, at most `limit`; of one evaluation where an id is given. */
  changes(range: ChangeRange): Promise<PlacedEvaluationEvent[]>;
  /** Counts the cases of the evaluations that started since then, in buckets of this length. */
  tally(sinceMs: number, bucketMs: number): Promise<EvaluationTally>;
  /** Calls back after each commit that changed an evaluation; returns a function that stops it. */
  watch(listener: (evaluationId: string) => void): () => void;
}

export interface ChangeRange {
  after: number;
  upTo?: number;
  limit: number;
  evaluation?: string;
  now: number;
}

export interface EvaluationTally extends CaseTally {
  evaluations: number;
  /** The buckets with an evaluation, in order. */
  buckets: TallyBucket[];
}

/** The cases of the evaluations that started in the bucket. */
export interface TallyBucket extends CaseTally {
  /** When the bucket begins, in epoch milliseconds. */
  at: number;
}

interface CaseTally {
  passed: number;
  failed: number;
  unevaluated: number;
}

/** Returns the status that readers see: a client whose lease is over is gone. */
export function statusAt(
  status: EvaluationStatus,
  aliveUntilMs: number | null,
  now: number,
): EvaluationStatus {
  return status === "running" && (aliveUntilMs ?? 0) <= now ? "interrupted" : status;
}
