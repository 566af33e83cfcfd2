// Evaluations in this process: checks what clients record, keeps it, and says who is still there. The port core/ports/evaluations.ts.
import { OPERATOR, type Caller } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import {
  EVALUATION_LIMITS,
  type Evaluation,
  type EvaluationEnd,
  type EvaluationRecord,
  type EvaluationTotals,
  type NewEvaluation,
  type NewEvaluationCase,
} from "../../core/evaluation.ts";
import { quote } from "../../core/printable.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { statusAt, type EvaluationStore, type StoredEvaluation } from "../../core/ports/evaluation-store.ts";
import type { Evaluations } from "../../core/ports/evaluations.ts";
import { validate } from "../../runtime/http/validate.ts";
import {
  EvaluationEndBody,
  EvaluationRecordBody,
  NewEvaluationBody,
} from "../../runtime/schemas/evaluation.ts";
import { caseId, caseNames, storedCase } from "./case-id.ts";
import { compareEvaluations } from "./compare-evaluations.ts";
import { followEvaluations } from "./follow-evaluations.ts";
import { matrixOf } from "./matrix-of.ts";

interface EvaluationsDeps {
  store: EvaluationStore;
  clock: Clock;
  /** Removes the runs that were made for an evaluation. */
  removeRuns: (evaluationId: string) => Promise<void>;
}

/** Milliseconds after its last request for which a client counts as connected. */
const EVALUATION_LEASE_MS = 60_000;

/** The most cases that one matrix holds. */
const MATRIX_CASES = 10_000;

export function createEvaluations({ store, clock, removeRuns }: EvaluationsDeps): Evaluations {
  const lease = (): string => new Date(clock.now() + EVALUATION_LEASE_MS).toISOString();
  const time = (): string => new Date(clock.now()).toISOString();

  /** Returns the evaluation in the form for readers. */
  function shown({ evaluation }: StoredEvaluation): Evaluation {
    const until = evaluation.alive_until === null ? null : Date.parse(evaluation.alive_until);
    return { ...evaluation, status: statusAt(evaluation.status, until, clock.now()) };
  }

  async function get(id: string): Promise<Evaluation> {
    const stored = await store.read(id);
    if (stored === undefined) throw notFound(id);
    return shown(stored);
  }

  /** Throws unless the writing client is the one that records the evaluation. */
  function owned(id: string, stored: StoredEvaluation | undefined, owner: string): Evaluation {
    if (stored === undefined) throw notFound(id);
    if (stored.owner === owner) return stored.evaluation;
    throw running(id, "another client has continued it since");
  }

  function begun(given: NewEvaluation, stored: StoredEvaluation | undefined, caller: Caller): Evaluation {
    const { id, owner: _, resume = false, replaces, skipped, ...fields } = given;
    const fresh: Evaluation = {
      id,
      status: "running",
      started_at: time(),
      ended_at: null,
      totals: { ...NOTHING, skipped },
      stopped: null,
      exit_code: null,
      comparison: null,
      started_by: caller.name,
      resumed: 0,
      alive_until: lease(),
      ...fields,
    };
    if (stored === undefined) return fresh;
    const { status, started_at, started_by, resumed } = shown(stored);
    if (!resume || status === "completed")
      throw new ProctorError("EVALUATION_EXISTS", `evaluation ${id} exists`, { details: { id } });
    if (status === "running" && stored.owner !== replaces) throw running(id, "it has not ended");
    return { ...fresh, started_at, started_by, resumed: resumed + 1 };
  }

  return {
    async begin(evaluation, caller = OPERATOR) {
      const given = validate(NewEvaluationBody, evaluation, "body") as NewEvaluation;
      const { id, owner } = given;
      return store.write(id, (stored) =>
        // The answer to the same request was lost.
        stored?.owner === owner
          ? { evaluation: stored.evaluation, owner, isNews: false }
          : { evaluation: begun(given, stored, caller), owner, isNews: true },
      );
    },
    async record(id, record) {
      const given = validate(EvaluationRecordBody, record, "body") as EvaluationRecord;
      const { owner, totals, cases = [], comparisons = [] } = given;
      const at = time();
      for (const each of cases) refuseLarge(each);
      return store.write(id, (stored) => {
        const before = owned(id, stored, owner);
        // Late requests of a slow client after the end change nothing.
        if (before.status !== "running") return { evaluation: before, owner, isNews: false };
        return {
          evaluation: { ...before, alive_until: lease(), ...(totals && { totals }) },
          owner,
          cases: cases.map((each) => storedCase(id, each, at)),
          comparisons: comparisons.map((comparison) => ({ case_id: caseId(comparison), comparison })),
          isNews: totals !== undefined,
        };
      });
    },
    async end(id, end) {
      const given = validate(EvaluationEndBody, end, "body") as EvaluationEnd;
      const { owner, ...fields } = given;
      return store.write(id, (stored) => {
        const before = owned(id, stored, owner);
        if (before.status !== "running") return { evaluation: before, owner, isNews: false };
        return {
          evaluation: { ...before, ...fields, ended_at: time(), alive_until: null },
          owner,
          isNews: true,
        };
      });
    },
    get,
    list: (query) => store.list({ ...query, now: clock.now() }),
    async cases(id, query) {
      await get(id);
      return store.cases(id, query);
    },
    async matrix(id, page) {
      await get(id);
      return matrixOf(id, await store.summaries(id, { ...page, most: MATRIX_CASES }));
    },
    history: (of, query) => store.history({ ...query, key: of, names: caseNames(of), now: clock.now() }),
    async compare(before, after) {
      return compareEvaluations(store, await get(before), await get(after));
    },
    async remove(id, { runs = false } = {}) {
      const { status } = await get(id);
      if (status === "running") throw running(id, "it has not ended");
      if (runs) await removeRuns(id);
      if (!(await store.remove(id))) throw notFound(id);
    },
    follow: (id, after, signal) => followEvaluations({ store, clock, get }, id, after, signal),
  };
}

const NOTHING: EvaluationTotals = {
  cases: 0,
  passed: 0,
  failed: 0,
  unevaluated: 0,
  skipped: 0,
  runs: 0,
  total_tokens: 0,
  cost_usd: 0,
};

function refuseLarge(given: NewEvaluationCase): void {
  const { caseBytes } = EVALUATION_LIMITS;
  const size = Buffer.byteLength(JSON.stringify(given));
  if (size <= caseBytes) return;
  const message = `the case ${quote(given.test_id)} has ${size} bytes; at most ${caseBytes} are kept`;
  throw new ProctorError("INVALID_REQUEST", message);
}

function notFound(id: string): ProctorError {
  return new ProctorError("EVALUATION_NOT_FOUND", `there is no evaluation ${id}`, { details: { id } });
}

function running(id: string, why: string): ProctorError {
  return new ProctorError("EVALUATION_RUNNING", `evaluation ${id} is another client's: ${why}`, {
    details: { id },
  });
}
