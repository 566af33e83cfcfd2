// Evaluations: recorded by clients, kept by the hub, read by everyone. In this process (suites/evaluations/), and over HTTP (hub/).
import type { Caller } from "../caller.ts";
import type { Comparison } from "../comparison.ts";
import type {
  CasePoint,
  Evaluation,
  EvaluationCase,
  EvaluationEnd,
  EvaluationMatrix,
  EvaluationRecord,
  EvaluationStatus,
  NewEvaluation,
  PlacedEvaluationEvent,
} from "../evaluation.ts";
import type { Outcome } from "../outcome.ts";
import type { Page, PageRequest } from "../page.ts";

export interface EvaluationQuery extends PageRequest {
  /** Name of a suite. */
  suite?: string;
  /** An agent as reports name it. */
  agent?: string;
  status?: readonly EvaluationStatus[];
  /** The beginning of the evaluation's id. */
  prefix?: string;
}

export interface CaseQuery extends PageRequest {
  verdict?: readonly Outcome[];
  suite?: string;
  agent?: string;
  /** Id of the only case to list. */
  case?: string;
  /** `failing`: failed cases first, then those that could not be evaluated; otherwise the order of the plan. */
  order?: "plan" | "failing";
}

export interface HistoryQuery extends PageRequest {
  agent?: string;
}

export interface Evaluations {
  /**
   * Begins an evaluation, or continues one that was interrupted. The same request again changes nothing. Throws INVALID_REQUEST,
   * EVALUATION_RUNNING when another client records it, EVALUATION_EXISTS when there is one of this id and it is not to be continued.
   */
  begin(evaluation: NewEvaluation, caller?: Caller): Promise<Evaluation>;
  /** Keeps what has settled and renews the lease. Throws EVALUATION_NOT_FOUND, EVALUATION_RUNNING when another client took over. */
  record(id: string, record: EvaluationRecord): Promise<Evaluation>;
  /** Closes the evaluation; the same end again changes nothing. */
  end(id: string, end: EvaluationEnd): Promise<Evaluation>;
  /** Throws EVALUATION_NOT_FOUND. */
  get(id: string): Promise<Evaluation>;
  /** Lists evaluations, newest first. */
  list(query: EvaluationQuery): Promise<Page<Evaluation>>;
  cases(id: string, query: CaseQuery): Promise<Page<EvaluationCase>>;
  matrix(id: string, page: PageRequest): Promise<EvaluationMatrix>;
  /** Lists the outcomes of a case over time, newest first. `of` is its key, its id, or `suite/test`. */
  history(of: string, query: HistoryQuery): Promise<Page<CasePoint>>;
  /** Resolves with what got worse from the first to the second: the words and figures of `proctor compare`. */
  compare(before: string, after: string): Promise<Comparison>;
  /** Removes the evaluation. Its runs are kept unless `runs` is set. Throws EVALUATION_RUNNING while a client records it. */
  remove(id: string, options?: { runs?: boolean }, caller?: Caller): Promise<void>;
  /**
   * Yields changes after a position, then live ones; ends when the evaluation is completed or removed, or the signal aborts. Without an id: of all
   * evaluations, and it ends with the signal alone.
   */
  follow(id: string | undefined, after: number, signal: AbortSignal): AsyncIterable<PlacedEvaluationEvent>;
}
