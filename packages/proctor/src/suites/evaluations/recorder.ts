// Records an evaluation while its suites run: begun before the first run, cases as they settle, ended with the summary. What cannot be recorded is a
// warning: no verdict and no exit code depends on it.
import { uuidV7 } from "../../core/id.ts";
import { ProctorError, type ErrorCode } from "../../core/errors.ts";
import type {
  EvaluationEnd,
  EvaluationMetadata,
  EvaluationTotals,
  NewEvaluation,
  NewEvaluationCase,
} from "../../core/evaluation.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Evaluations } from "../../core/ports/evaluations.ts";
import { waitAtMost } from "../../core/wait-at-most.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { Plan, PlannedCase } from "../plan.ts";
import type { Reporter } from "../reporter.ts";
import type { RunTotals, Summary } from "../result.ts";
import { caseRecord, comparisonOverall, comparisonRecord } from "./case-record.ts";
import { planRecord } from "./plan-record.ts";
import { createRecordQueue } from "./record-queue.ts";

export interface RecorderOptions {
  evaluations: Pick<Evaluations, "begin" | "record" | "end">;
  plan: Plan;
  metadata: EvaluationMetadata;
  /** The evaluation that an interrupted invocation began, and its owner where that is known to be gone. */
  resume?: { id: string; replaces?: string };
  exitCode: (summary: Summary) => number;
  warn: (message: string) => void;
}

export interface Recorder {
  /** The id that runs carry; undefined when the hub refused to keep the evaluation. */
  readonly id: string | undefined;
  /** Secret that proves to the hub that a record is from this client. */
  readonly owner: string;
  reporter: Reporter;
  /** Records what is left and ends the evaluation. Never throws, and gives up when the hub does not answer. */
  close(): Promise<void>;
}

const TAKEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["EVALUATION_RUNNING", "EVALUATION_EXISTS"]);
const COMPARED_AT_ONCE = 100;
/** Milliseconds between signs of life; a quarter of the lease. */
const BEAT_MS = 15_000;
/** Milliseconds that the hub has to begin and to end an evaluation. */
const ANSWER_MS = 15_000;

export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const { evaluations, plan, warn } = options;
  const owner = uuidV7();
  let isRefused = false;
  function refuse(error: unknown): void {
    if (!isRefused) warn(`the evaluation is not recorded: ${messageOf(error).split("\n")[0] ?? ""}`);
    isRefused = true;
  }
  const id = await begin(options, owner).catch((error: unknown) => {
    refuse(error);
    return undefined;
  });
  const numbers = new Map<PlannedCase, number>(plan.cases.map((planned, index) => [planned, index]));
  const cases = { cases: 0, passed: 0, failed: 0, unevaluated: 0 };
  const runs = { runs: 0, total_tokens: 0, cost_usd: 0 };
  const skipped = plan.skipped?.length ?? 0;
  const totals = (): EvaluationTotals => ({ ...cases, skipped, ...runs });
  let summary: Summary | undefined;
  const queue = createRecordQueue({
    send: async (record) => {
      if (id !== undefined && !isRefused) await evaluations.record(id, { owner, ...record });
    },
    totals,
    onRefused: refuse,
  });
  const beat = setInterval(() => queue.beat(), BEAT_MS);
  beat.unref();

  const reporter: Reporter = {
    start: () => undefined,
    attemptEnded(_planned, { source, metrics }) {
      runs.runs += 1;
      if (source !== "run") return;
      runs.total_tokens += Math.max(0, metrics.total_tokens ?? 0);
      runs.cost_usd += Math.max(0, metrics.cost_usd ?? 0);
    },
    caseEnded(result) {
      const { outcome } = result;
      cases.cases += 1;
      if (outcome === "pass") cases.passed += 1;
      else if (outcome === "fail") cases.failed += 1;
      else cases.unevaluated += 1;
      if (id === undefined || isRefused) return;
      queue.add(safeRecord(() => caseRecord(result, numbers.get(result.case) ?? plan.cases.length), refuse));
    },
    end: (ended) => void (summary = ended),
  };

  async function finish(evaluation: string): Promise<void> {
    const { comparison } = summary ?? {};
    await queue.drain();
    const compared = comparison?.cases.filter(({ change }) => change !== "missing") ?? [];
    for (let from = 0; from < compared.length; from += COMPARED_AT_ONCE) {
      const comparisons = compared.slice(from, from + COMPARED_AT_ONCE).map(comparisonRecord);
      await evaluations.record(evaluation, { owner, comparisons });
    }
    if (!isRefused) await evaluations.end(evaluation, endOf(owner, totals(), summary, options));
  }

  return {
    id,
    owner,
    reporter,
    async close() {
      clearInterval(beat);
      if (id !== undefined && !isRefused) {
        let isDone = false;
        const finished = finish(id).then(() => void (isDone = true));
        await waitAtMost(systemClock, ANSWER_MS, finished).catch(refuse);
        if (!isDone && !isRefused) refuse(new Error("the hub does not answer"));
      }
      queue.close();
    },
  };
}

async function begin(options: RecorderOptions, owner: string): Promise<string> {
  const { resume, evaluations } = options;
  if (resume !== undefined) {
    try {
      const { id, ...gone } = resume;
      await evaluations.begin({ ...newEvaluation(options, id, owner), resume: true, ...gone });
      return id;
    } catch (error) {
      // Another client records it, or it is complete: these results become an evaluation of their own.
      if (!ProctorError.is(error) || !TAKEN.has(error.code)) throw error;
    }
  }
  const id = uuidV7();
  await evaluations.begin(newEvaluation(options, id, owner));
  return id;
}

function newEvaluation({ plan, metadata }: RecorderOptions, id: string, owner: string): NewEvaluation {
  return { id, owner, ...planRecord(plan), skipped: plan.skipped?.length ?? 0, metadata };
}

function endOf(
  owner: string,
  sofar: EvaluationTotals,
  summary: Summary | undefined,
  { exitCode }: RecorderOptions,
): EvaluationEnd {
  // Something broke before there was a summary.
  if (summary === undefined)
    return { owner, status: "interrupted", stopped: null, exit_code: null, totals: sofar, comparison: null };
  const { interrupted, stopped, comparison, runs } = summary;
  return {
    owner,
    status: interrupted ? "interrupted" : "completed",
    stopped: stopped ?? null,
    exit_code: exitCode(summary),
    totals: { ...sofar, ...spent(runs) },
    comparison: comparison === undefined ? null : comparisonOverall(comparison),
  };
}

function spent({ total_tokens, cost_usd }: RunTotals): Pick<EvaluationTotals, "total_tokens" | "cost_usd"> {
  return { total_tokens: Math.max(0, total_tokens), cost_usd: Math.max(0, cost_usd) };
}

/** Returns the record. A result that cannot be encoded is a bug, which must not cost a verdict. */
function safeRecord(
  make: () => NewEvaluationCase,
  refuse: (error: unknown) => void,
): NewEvaluationCase | undefined {
  try {
    return make();
  } catch (error) {
    refuse(error);
    return undefined;
  }
}
