// What a report says of an evaluation, a case, a check and a run beyond what a hub keeps of them. Its documents carry it as `more`; components show it
// where it is. packages/proctor/src/suites/reporters/html/report-documents.ts writes it.
import type {
  Evaluation,
  EvaluationCase,
  EvaluationCheck,
  EvaluationRun,
  Event,
  PassRate,
} from "./gen/schema.ts";

export interface MoreOfEvaluation {
  /** Pass rate over all runs that could be evaluated. */
  pass_rate: PassRate | null;
  /** Numbers of runs that were not made now, by where they come from. */
  sources: Record<"resumed" | "cached" | "rescored" | "replayed", number>;
  /** Sentence on the tests that cannot be run on that machine; null when there are none. */
  skipped: string | null;
  not_run: number;
  /** Whether the agents are one agent over several transports. */
  differential: boolean;
  contests: Contest[];
  /** Name under which the case by case comparison with the baseline can be requested; null when there is none. */
  baseline: string | null;
}

export interface Contest {
  suite: string;
  test_id: string;
  metrics: ("quality" | "speed" | "cost")[];
  /** The agents, best first. */
  agents: { agent: string; quality: number | null; speed_ms: number | null; cost_usd: number | null }[];
  winner: string | null;
  reason: string;
}

export interface MoreOfCase {
  description?: string;
  task: string;
  parameters?: Record<string, unknown>;
  statistics: CaseStatistics;
  gate?: Gate;
  /** Whether parts of the case were too large and are cut. */
  cut?: boolean;
}

export interface CaseStatistics {
  runs: number;
  passed: number;
  failed: number;
  /** The chances, by k, that at least one of k runs passes, and that all of them do. */
  pass_at_k: Record<string, number>;
  pass_hat_k: Record<string, number>;
  score?: Distribution;
  latency_ms?: Distribution;
  cost_usd?: Distribution;
  total_tokens?: Distribution;
  total_steps?: Distribution;
}

export interface Distribution {
  count: number;
  mean: number;
  min: number;
  p50: number;
  p95: number;
  max: number;
  /** Interval of the mean. */
  interval?: { low: number; high: number };
}

export interface Gate {
  decision: "pass" | "fail" | "inconclusive";
  at_least: number;
  confidence: number;
  runs: number;
  more_runs?: number | null;
  message: string;
}

export interface MoreOfCheck {
  file: string;
  line: number;
  col: number;
  weight: number;
  score?: number;
  details?: Record<string, unknown>;
  difference?: Difference;
}

/** What was expected, next to the actual value. */
export type Difference =
  | { form: "words"; expected: DifferenceSpan[]; actual: DifferenceSpan[] }
  /** `…` stands for lines that are not shown. */
  | { form: "lines"; lines: { mark: " " | "-" | "+" | "…"; text: string }[] };

export interface DifferenceSpan {
  text: string;
  changed: boolean;
}

export interface MoreOfRun {
  ran_at?: string;
  retried?: string[];
  /** What the agent said before it failed, line by line. */
  said?: string[];
  failure_details?: Record<string, unknown>;
  isolated?: false;
  notes?: string[];
  thread?: Thread;
  duration_ms: number;
  total_steps?: number;
  events_left_out: number;
  artifacts_left_out: number;
}

export interface Thread {
  conversation_id: string;
  turns: ThreadTurn[];
  ended: string;
  simulator?: { calls: number; input_tokens: number; output_tokens: number };
}

export interface ThreadTurn {
  turn: number;
  run_id: string;
  status: string;
  outcome: "pass" | "fail" | "unevaluated" | null;
  lines: { who: "user" | "agent"; what: string; text: string; kind?: string; cut?: boolean }[];
  lines_left_out: number;
}

/** What a report says of a case in its table. */
export interface MoreOfCell {
  tags: string[];
  reason?: string;
  passed: number;
  failed: number;
  p50?: number;
  p95?: number;
  /** Means of the runs. */
  tokens?: number;
  cost?: number;
  score?: number;
  gate?: Gate["decision"];
  /** Values of the runs in ascending order. */
  values: Partial<Record<"latency" | "cost" | "tokens" | "score", number[]>>;
}

interface Known {
  evaluation: [Evaluation, MoreOfEvaluation];
  case: [EvaluationCase, MoreOfCase];
  check: [EvaluationCheck, MoreOfCheck];
  run: [EvaluationRun, MoreOfRun];
}

/** Returns what a report adds to the document; undefined for the documents of a hub. A report writes what these types say. */
export function moreOf<K extends keyof Known>(_kind: K, document: Known[K][0]): Known[K][1] | undefined {
  return (document as { more?: Known[K][1] }).more;
}

/** Returns the number of an event in its log. A report leaves events out, and numbers those it has without gaps. */
export function numberOf(event: Event & { number?: number }): number {
  return event.number ?? event.sequence;
}
