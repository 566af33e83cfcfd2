// The cases of evaluations: how each came out, in the order of the plan or the failed ones first, and one of them over time.
import { sql } from "kysely";
import type { CaseComparison } from "../../core/comparison.ts";
import type { CaseDetails, CasePoint, CaseSummary, EvaluationCase } from "../../core/evaluation.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { statusAt, type StoredHistoryQuery } from "../../core/ports/evaluation-store.ts";
import type { CaseQuery } from "../../core/ports/evaluations.ts";
import { cursorKind } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { EvaluationCasesTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

interface EvaluationCases {
  put(tx: Connection, one: EvaluationCase, position: number): Promise<void>;
  compare(
    tx: Connection,
    evaluation: string,
    compared: { case_id: string; comparison: CaseComparison },
    position: number,
  ): Promise<void>;
  list(connection: Connection, evaluation: string, query: CaseQuery): Promise<Page<EvaluationCase>>;
  summaries(
    connection: Connection,
    evaluation: string,
    page: PageRequest & { most: number },
  ): Promise<Page<CaseSummary>>;
  history(connection: Connection, query: StoredHistoryQuery): Promise<Page<CasePoint>>;
}

const RANKS: Record<Outcome, number> = { fail: 0, unevaluated: 1, pass: 2 };

/** Where a page ended: the values of its order, as JSON. */
const isPlace = (value: unknown): value is string => typeof value === "string" && value.startsWith("[");

export function createEvaluationCases({ builder }: SqlDialect): EvaluationCases {
  const save = template(({ evaluation, id, ...changing }: EvaluationCasesTable) =>
    builder
      .insertInto("evaluation_cases")
      .values({ evaluation, id, ...changing })
      .onConflict((conflict) => conflict.columns(["evaluation", "id"]).doUpdateSet(changing)),
  );
  type Compared = Pick<EvaluationCasesTable, "evaluation" | "id" | "change" | "comparison" | "position">;
  const saveComparison = template(({ evaluation, id, ...compared }: Compared) =>
    builder
      .updateTable("evaluation_cases")
      .set(compared)
      .where("evaluation", "=", evaluation)
      .where("id", "=", id),
  );

  function paged(evaluation: string, order: CaseQuery["order"], after: string | undefined) {
    let page = builder
      .selectFrom("evaluation_cases")
      .select(["id", "number", "rank", "summary", "change"])
      .where("evaluation", "=", evaluation);
    if (order === "failing") page = page.orderBy("rank");
    page = page.orderBy("number").orderBy("id");
    if (after === undefined) return page;
    // Only `list` and `summaries` write these places.
    const [rank, number, id] = JSON.parse(after) as [number, number, string];
    return page.where(
      order === "failing"
        ? sql<boolean>`(rank, number, id) > (${rank}, ${number}, ${id})`
        : sql<boolean>`(number, id) > (${number}, ${id})`,
    );
  }

  const placeOf = ({ rank, number, id }: Pick<EvaluationCasesTable, "rank" | "number" | "id">): string =>
    JSON.stringify([rank, number, id]);

  return {
    async put(tx, one, position) {
      const { file, line, tags, reason, gated, checks, run_results, runs_omitted, comparison, ...summary } =
        one;
      const details: CaseDetails = { file, line, tags, reason, gated, checks, run_results, runs_omitted };
      refuseNul("the name of a suite", summary.suite);
      refuseNul("the id of a test", summary.test_id);
      refuseNul("the name of an agent", summary.agent);
      refuseNul("the key of a case", summary.key);
      await tx.run(
        save({
          evaluation: one.evaluation_id,
          id: one.id,
          number: one.number,
          rank: RANKS[one.verdict],
          suite: one.suite,
          test_id: one.test_id,
          agent: one.agent,
          case_key: one.key,
          settled_at: Date.parse(one.settled_at),
          position,
          change: one.change,
          summary: JSON.stringify(summary),
          comparison: comparison === null ? null : JSON.stringify(comparison),
          details: JSON.stringify(details),
        }),
      );
    },
    async compare(tx, evaluation, { case_id: id, comparison }, position) {
      const { change } = comparison;
      await tx.run(
        saveComparison({ evaluation, id, change, comparison: JSON.stringify(comparison), position }),
      );
    },
    list(connection, evaluation, { verdict = [], suite, agent, case: id, order, ...request }) {
      return readPage(request, {
        cursors: cursorKind("cases", { evaluation, verdict, suite, agent, id, order }, isPlace),
        rows(after, limit) {
          let page = paged(evaluation, order, after).select(["comparison", "details"]).limit(limit);
          const ranks = verdict.map((each) => RANKS[each]);
          if (ranks.length > 0) page = page.where("rank", "in", ranks);
          if (suite !== undefined) page = page.where("suite", "=", suite);
          if (agent !== undefined) page = page.where("agent", "=", agent);
          if (id !== undefined) page = page.where("id", "=", id);
          return connection.all(compile(page));
        },
        decode: (row) => decodeCase(row),
        keyOf: (row) => placeOf(row),
      });
    },
    summaries: (connection, evaluation, { most, ...request }) =>
      readPage(request, {
        cursors: cursorKind("matrix", evaluation, isPlace),
        rows: (after, limit) => connection.all(compile(paged(evaluation, "plan", after).limit(limit))),
        decode: (row) => decodeSummary(row),
        keyOf: (row) => placeOf(row),
        size: Math.min(Math.max(1, Math.trunc(request.limit ?? most)), most),
      }),
    history(connection, { key, names, agent, now, ...request }) {
      const of = builder
        .selectFrom("evaluation_cases as c")
        .innerJoin("evaluations as e", "e.id", "c.evaluation")
        .select([
          "c.settled_at",
          "c.evaluation",
          "c.id",
          "c.summary",
          "c.change",
          "e.name",
          "e.status",
          "e.alive_until",
          "e.git_commit",
        ])
        .where((eb) =>
          eb.or([
            eb("c.case_key", "=", key),
            eb("c.id", "=", key),
            ...names.map(({ suite, test_id }) =>
              eb.and([eb("c.suite", "=", suite), eb("c.test_id", "=", test_id)]),
            ),
          ]),
        )
        .orderBy("c.settled_at", "desc")
        .orderBy("c.evaluation", "desc")
        .orderBy("c.id", "desc");
      const wanted = agent === undefined ? of : of.where("c.agent", "=", agent);
      return readPage(request, {
        cursors: cursorKind("history", { key, names, agent }, isPlace),
        rows(after, limit) {
          if (after === undefined) return connection.all(compile(wanted.limit(limit)));
          // Only this list writes these places.
          const [at, evaluation, id] = JSON.parse(after) as [number, string, string];
          const below = sql<boolean>`(c.settled_at, c.evaluation, c.id) < (${at}, ${evaluation}, ${id})`;
          return connection.all(compile(wanted.where(below).limit(limit)));
        },
        decode: (row) => ({
          ...decodeSummary(row),
          evaluation_name: row.name,
          evaluation_status: statusAt(row.status, row.alive_until, now),
          git_commit: row.git_commit,
        }),
        keyOf: ({ settled_at, evaluation, id }) => JSON.stringify([settled_at, evaluation, id]),
      });
    },
  };
}

/** Only `put` writes what is read here. */
export function decodeSummary({
  summary,
  change,
}: Pick<EvaluationCasesTable, "summary" | "change">): CaseSummary {
  return { ...(JSON.parse(summary) as CaseSummary), change };
}

type CaseRow = Pick<EvaluationCasesTable, "summary" | "change" | "comparison" | "details">;

function decodeCase(row: CaseRow): EvaluationCase {
  return {
    ...decodeSummary(row),
    ...(JSON.parse(row.details) as CaseDetails),
    comparison: row.comparison === null ? null : (JSON.parse(row.comparison) as CaseComparison),
  };
}
