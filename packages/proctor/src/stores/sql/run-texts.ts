// What a search for runs looks at: id, alias and the beginning of the task, in lower case. Apart from the runs, whose rows are written again with
// every append, and narrow, because a search reads many of them.
import { sql } from "kysely";
import type { Run } from "../../core/run.ts";
import { inPieces } from "./commit-batches.ts";
import type { BatchStep, SqlDialect } from "./sql-backend.ts";

/** Characters of the task that are searched. */
const TASK_CHARS = 300;

export interface RunText {
  id: string;
  text: string;
}

/** Keeps the texts of runs that this transaction has inserted. */
export function createRunTexts({ builder }: SqlDialect): BatchStep<RunText> {
  /** Statements by the number of their rows. */
  const texts = new Map<number, string>();

  function statement(rows: number): string {
    const known = texts.get(rows);
    if (known !== undefined) return known;
    const values = sql.join(Array.from({ length: rows }, () => sql`(${""}, ${""})`));
    const insert = sql`insert into run_texts (ordinal, text) select runs.ordinal, given.column2 from (values ${values}) as given join runs on runs.id = given.column1`;
    const text = insert.compile(builder).sql;
    texts.set(rows, text);
    return text;
  }

  return async (tx, runs) => {
    for (const piece of inPieces(runs))
      await tx.run({ sql: statement(piece.length), parameters: piece.flatMap(({ id, text }) => [id, text]) });
  };
}

export function textOf({ id, alias, task }: Run): string {
  const words = `${id} ${alias ?? ""} ${task.description.slice(0, TASK_CHARS)}`;
  return words.toLowerCase().toWellFormed().replaceAll("\0", " ");
}

/** Returns the pattern that finds a text wherever it stands; wildcards in the text stand for themselves. */
export function searchPattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`;
}
