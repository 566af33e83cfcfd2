// The cases of evaluations: how each came out, in the order of the plan or the failed ones first, and one of them over time.
import { sql } from "kysely";
import type { CaseComparison } from "../../core/comparison.ts";
import type { CaseDetails, CasePoint, CaseSummary, EvaluationCase } from "../../core/evaluation.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import { statusAt, type StoredHistoryQuery } from "../../core/ports/evaluation-store.ts";
import type { CaseQuery } from "../../core/ports/evaluations.ts";
import { cursorKind, pageLimit } from "./cursor.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { EvaluationCasesTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";
import { toPage } from "./to-page.ts";

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
  const save = template((row: EvaluationCasesTable) => {
    const changing = {
      number: row.number,
      rank: row.rank,
      suite: row.suite,
      test_id: row.test_id,
      agent: row.agent,
      case_key: row.case_key,
      settled_at: row.settled_at,
      position: row.position,
      change: row.change,
      summary: row.summary,
      comparison: row.comparison,
      details: row.details,
    };
    return builder
      .insertInto("evaluation_cases")
      .values({ evaluation: row.evaluation, id: row.id, ...changing })
      .onConflict((conflict) => conflict.columns(["evaluation", "id"]).doUpdateSet(changing));
  });
  const saveComparison = template(
    ({
      evaluation,
      id,
      change,
      comparison,
      position,
    }: Pick<EvaluationCasesTable, "evaluation" | "id" | "change" | "comparison" | "position">) =>
      builder
        .updateTable("evaluation_cases")
        .set({ change, comparison, position })
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
    async list(connection, evaluation, { verdict = [], suite, agent, case: id, order, cursor, limit }) {
      const size = pageLimit(limit);
      const kind = cursorKind("cases", { evaluation, verdict, suite, agent, id, order }, isPlace);
      let page = paged(evaluation, order, cursor === undefined ? undefined : kind.decode(cursor))
        .select(["comparison", "details"])
        .limit(size + 1);
      if (verdict.length > 0)
        page = page.where(
          "rank",
          "in",
          verdict.map((each) => RANKS[each]),
        );
      if (suite !== undefined) page = page.where("suite", "=", suite);
      if (agent !== undefined) page = page.where("agent", "=", agent);
      if (id !== undefined) page = page.where("id", "=", id);
      const rows = await connection.all(compile(page));
      return toPage(rows, size, decodeCase, (last) => kind.encode(placeOf(last)));
    },
    async summaries(connection, evaluation, { cursor, limit, most }) {
      const size = Math.min(Math.max(1, Math.trunc(limit ?? most)), most);
      const kind = cursorKind("matrix", evaluation, isPlace);
      const page = paged(evaluation, "plan", cursor === undefined ? undefined : kind.decode(cursor));
      const rows = await connection.all(compile(page.limit(size + 1)));
      return toPage(rows, size, decodeSummary, (last) => kind.encode(placeOf(last)));
    },
    async history(connection, { key, names, agent, now, cursor, limit }) {
      const size = pageLimit(limit);
      const kind = cursorKind("history", { key, names, agent }, isPlace);
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
        .orderBy("c.id", "desc")
        .limit(size + 1);
      let page = agent === undefined ? of : of.where("c.agent", "=", agent);
      if (cursor !== undefined) {
        // Only this list writes these places.
        const [at, evaluation, id] = JSON.parse(kind.decode(cursor)) as [number, string, string];
        page = page.where(sql<boolean>`(c.settled_at, c.evaluation, c.id) < (${at}, ${evaluation}, ${id})`);
      }
      const rows = await connection.all(compile(page));
      return toPage(
        rows,
        size,
        (row) => ({
          ...decodeSummary(row),
          evaluation_name: row.name,
          evaluation_status: statusAt(row.status, row.alive_until, now),
          git_commit: row.git_commit,
        }),
        (last) => kind.encode(JSON.stringify([last.settled_at, last.evaluation, last.id])),
      );
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
