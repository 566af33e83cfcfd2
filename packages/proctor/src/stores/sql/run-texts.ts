// What a search for runs looks at: id, alias and the beginning of the task, in lower case. Apart from the runs, whose rows are written again with
// every append, and narrow, because a search reads many of them.
import { sql } from "kysely";
import type { Run } from "../../core/run.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

/** Characters of the task that are searched. */
const TASK_CHARS = 300;

export function createRunTexts({ builder }: SqlDialect): (tx: Connection, run: Run) => Promise<void> {
  const insert = template(({ id, text }: { id: string; text: string }) =>
    builder
      .insertInto("run_texts")
      .columns(["ordinal", "text"])
      .expression(
        builder
          .selectFrom("runs")
          .select(["ordinal", sql<string>`${text}`.as("text")])
          .where("id", "=", id),
      ),
  );
  return async (tx, run) => {
    await tx.run(insert({ id: run.id, text: textOf(run) }));
  };
}

function textOf({ id, alias, task }: Run): string {
  const words = `${id} ${alias ?? ""} ${task.description.slice(0, TASK_CHARS)}`;
  return words.toLowerCase().toWellFormed().replaceAll("\0", " ");
}

/** The pattern that finds a text wherever it stands; its own wildcards mean themselves. */
export function searchPattern(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`;
}
