// Evaluations by their ids. Each change has a position in the order of the feed, so that one stream tells of runs and of evaluations alike.
import { sql } from "kysely";
import type { Evaluation } from "../../core/evaluation.ts";
import type { Page } from "../../core/page.ts";
import type { EvaluationStore, EvaluationTally } from "../../core/ports/evaluation-store.ts";
import { cursorKind, isWholeKey } from "./cursor.ts";
import { createEvaluationCases } from "./evaluation-cases.ts";
import { createEvaluationChanges } from "./evaluation-changes.ts";
import { evaluationAt, storedEvaluation } from "./evaluation-row.ts";
import type { Positions } from "./feed.ts";
import { readPage } from "./read-page.ts";
import { refuseNul } from "./refuse-nul.ts";
import { epochMs } from "./run-record.ts";
import type { EvaluationsTable } from "./schema.ts";
import type { Connection, SqlBackend, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";
import { createWatchers } from "./watchers.ts";

type NewRow = Omit<EvaluationsTable, "ordinal">;
type Query = Parameters<EvaluationStore["list"]>[0];

export function createEvaluationStore(
  dialect: SqlDialect,
  { read, write, evaluationWatchers }: Pick<SqlBackend, "read" | "write" | "evaluationWatchers">,
  positions: Positions,
): EvaluationStore {
  const watchers = evaluationWatchers ?? createWatchers<[evaluationId: string]>();
  const { builder } = dialect;
  const cases = createEvaluationCases(dialect);
  const changes = createEvaluationChanges(dialect);
  const named = (id: string) =>
    builder
      .selectFrom("evaluations")
      .select(["document", "owner", "alive_until", "position"])
      .where("id", "=", id);
  const one = template(({ id }: { id: string }) => named(id));
  const oneToChange = template(({ id }: { id: string }) => named(id).modifyEnd(dialect.lockRow));
  const save = template(({ id, started_at, ...changing }: NewRow) =>
    builder
      .insertInto("evaluations")
      .values({ id, started_at, ...changing })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(changing)),
  );
  const addPart = template((part: { id: string; kind: "suite" | "agent"; name: string }) =>
    builder
      .insertInto("evaluation_parts")
      .columns(["kind", "name", "ordinal"])
      .expression(
        builder
          .selectFrom("evaluations")
          .select([
            sql<"suite" | "agent">`${part.kind}`.as("kind"),
            sql<string>`${part.name}`.as("name"),
            "ordinal",
          ])
          .where("id", "=", part.id),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const drops = [
    template(({ id }: { id: string }) =>
      builder
        .deleteFrom("evaluation_parts")
        .where("ordinal", "in", builder.selectFrom("evaluations").select("ordinal").where("id", "=", id)),
    ),
    template(({ id }: { id: string }) => builder.deleteFrom("evaluation_cases").where("evaluation", "=", id)),
    template(({ id }: { id: string }) => builder.deleteFrom("evaluations").where("id", "=", id)),
  ];
  const noteRemoved = template(({ id, position }: { id: string; position: number }) =>
    builder
      .insertInto("removed_evaluations")
      .values({ id, position })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ position })),
  );
  const forgetRemoved = template(({ id }: { id: string }) =>
    builder.deleteFrom("removed_evaluations").where("id", "=", id),
  );
  const tally = template(({ since }: { since: number }) =>
    builder
      .selectFrom("evaluations")
      .select(["started_at", "passed", "failed", "unevaluated"])
      .where("started_at", ">=", since)
      .orderBy("started_at"),
  );

  async function find(connection: Connection, id: string, query = one) {
    if (id.includes("\0")) return undefined;
    return connection.first(query({ id }));
  }

  async function put(tx: Connection, evaluation: Evaluation, owner: string, position: number): Promise<void> {
    const { id, name, status, totals, metadata } = evaluation;
    await tx.run(
      save({
        id,
        name: name.replaceAll("\0", ""),
        status,
        owner,
        alive_until: epochMs(evaluation.alive_until),
        started_at: Date.parse(evaluation.started_at),
        git_commit: metadata.git_commit?.replaceAll("\0", "") ?? null,
        passed: totals.passed,
        failed: totals.failed,
        unevaluated: totals.unevaluated,
        position,
        document: JSON.stringify(evaluation),
      }),
    );
  }

  async function keepParts(tx: Connection, { id, suites, agents }: Evaluation): Promise<void> {
    const parts = [
      ...suites.map(({ name }) => ({ kind: "suite" as const, name })),
      ...agents.map((name) => ({ kind: "agent" as const, name })),
    ];
    for (const part of parts) {
      refuseNul(`the name of a ${part.kind}`, part.name);
      await tx.run(addPart({ id, ...part }));
    }
  }

  async function list(connection: Connection, query: Query): Promise<Page<Evaluation>> {
    const { suite, agent, status = [], prefix, now } = query;
    const part = (of: "suite" | "agent", name: string) =>
      builder
        .selectFrom("evaluation_parts")
        .select("evaluation_parts.ordinal")
        .where("kind", "=", of)
        .where("evaluation_parts.name", "=", name);
    let page = builder
      .selectFrom("evaluations")
      .select(["ordinal", "document", "alive_until"])
      .orderBy("ordinal", "desc");
    if (suite !== undefined) page = page.where("ordinal", "in", part("suite", suite));
    if (agent !== undefined) page = page.where("ordinal", "in", part("agent", agent));
    if (prefix !== undefined) page = page.where("id", ">=", prefix).where("id", "<", `${prefix}\uffff`);
    if (status.length > 0) {
      const alive = sql<boolean>`alive_until > ${now}`;
      page = page.where((eb) =>
        eb.or(
          status.map((each) => {
            if (each === "completed") return eb("status", "=", each);
            const running = eb("status", "=", "running");
            if (each === "running") return eb.and([running, alive]);
            return eb.or([eb("status", "=", each), eb.and([running, eb.not(alive)])]);
          }),
        ),
      );
    }
    const all = page;
    return readPage(query, {
      cursors: cursorKind("evaluations", { suite, agent, status, prefix }, isWholeKey),
      rows: (after = Number.MAX_SAFE_INTEGER, limit) =>
        connection.all(compile(all.where("ordinal", "<", after).limit(limit))),
      decode: (row) => evaluationAt(row, now),
      keyOf: ({ ordinal }) => ordinal,
    });
  }

  return {
    async write(id, decide) {
      const { evaluation, isNews } = await write(async (tx) => {
        const before = await find(tx, id, oneToChange);
        const change = decide(before && storedEvaluation(before));
        const { evaluation, owner, cases: settled = [], comparisons = [] } = change;
        const rows = settled.length + comparisons.length;
        const isNews = before === undefined || change.isNews || rows > 0;
        // One position for each row that changed.
        let position = isNews ? await positions.reserve(tx, rows + 1) : (before?.position ?? 0);
        for (const each of settled) await cases.put(tx, each, position++);
        for (const each of comparisons) await cases.compare(tx, id, each, position++);
        await put(tx, evaluation, owner, position);
        if (before === undefined) await tx.run(forgetRemoved({ id }));
        if (before === undefined || evaluation.resumed > storedEvaluation(before).evaluation.resumed)
          await keepParts(tx, evaluation);
        return { evaluation, isNews };
      });
      if (isNews) watchers.notify(id);
      return evaluation;
    },
    async read(id) {
      const row = await find(read, id);
      return row && storedEvaluation(row);
    },
    list: (query) => list(read, query),
    cases: (id, query) => cases.list(read, id, query),
    summaries: (id, page) => cases.summaries(read, id, page),
    history: (query) => cases.history(read, query),
    async remove(id) {
      const removed = await write(async (tx) => {
        if ((await find(tx, id)) === undefined) return false;
        for (const drop of drops) await tx.run(drop({ id }));
        await tx.run(noteRemoved({ id, position: await positions.reserve(tx, 1) }));
        return true;
      });
      if (removed) watchers.notify(id);
      return removed;
    },
    changes: (range) => changes(read, range),
    tally: async (sinceMs, bucketMs) => tallyOf(await read.all(tally({ since: sinceMs })), bucketMs),
    watch: watchers.watch,
  };
}

type Counts = Pick<EvaluationsTable, "passed" | "failed" | "unevaluated">;

/** Returns the tally of the rows, which come in the order of their beginning. */
function tallyOf(rows: readonly (Counts & { started_at: number })[], bucketMs: number): EvaluationTally {
  const all = { passed: 0, failed: 0, unevaluated: 0 };
  const buckets: EvaluationTally["buckets"] = [];
  for (const { started_at, ...counts } of rows) {
    const at = Math.floor(started_at / bucketMs) * bucketMs;
    if (buckets.at(-1)?.at !== at) buckets.push({ at, passed: 0, failed: 0, unevaluated: 0 });
    for (const sum of [all, buckets.at(-1)]) if (sum) add(sum, counts);
  }
  return { evaluations: rows.length, ...all, buckets };
}

function add(sum: Counts, { passed, failed, unevaluated }: Counts): void {
  sum.passed += passed;
  sum.failed += failed;
  sum.unevaluated += unevaluated;
}
