// What runs wait for: their open questions, those that expired without an owner, and what a tree of runs has used.
import type { RunSecrets } from "../../core/ports/store.ts";
import type { Run } from "../../core/run.ts";
import { selectRuns, type RunLoader } from "./load-run.ts";
import { createOpenQuestions, type ListQuestions } from "./open-questions.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";
import { createTreeTally, type TallyTree } from "./tree-tally.ts";

interface TalkingRuns {
  openQuestions: ListQuestions;
  dueParked(connection: Connection, now: number, limit: number): Promise<Run[]>;
  nextExpiry(connection: Connection): Promise<number | null>;
  readSecrets(connection: Connection, id: string): Promise<RunSecrets | undefined>;
  tally: TallyTree;
}

export function createTalkingRuns(dialect: SqlDialect, loader: RunLoader): TalkingRuns {
  const { builder } = dialect;
  const secrets = template(({ id }: { id: string }) =>
    selectRuns(dialect).select(["runs.sealed", "runs.continuation"]).where("runs.id", "=", id),
  );
  const due = template(({ now, limit }: { now: number; limit: number }) =>
    selectRuns(dialect)
      .where("expires_at", "<=", now)
      .where("worker", "is", null)
      .orderBy("expires_at")
      .limit(limit),
  );
  const next = compile(
    builder
      .selectFrom("runs")
      .select((eb) => eb.fn.min("expires_at").as("at"))
      .where("expires_at", "is not", null)
      .where("worker", "is", null),
  );

  return {
    openQuestions: createOpenQuestions(dialect, loader),
    async dueParked(connection, now, limit) {
      const runs: Run[] = [];
      for (const row of await connection.all(due({ now, limit }))) {
        runs.push((await loader.complete(connection, row)).state.run);
      }
      return runs;
    },
    nextExpiry: async (connection) => (await connection.first(next))?.at ?? null,
    async readSecrets(connection, id) {
      const row = await connection.first(secrets({ id }));
      if (row === undefined) return undefined;
      const { state, spec } = await loader.complete(connection, row);
      const { run, talk } = state;
      return { run, spec, sealed: row.sealed, continuation: row.continuation, ...(talk && { talk }) };
    },
    tally: createTreeTally(dialect),
  };
}
