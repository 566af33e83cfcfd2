// Pages of the questions that are not answered yet: the oldest run first, and in the order in which each run asked.
import { sql } from "kysely";
import type { Page } from "../../core/page.ts";
import type { OpenQuestion, QuestionQuery } from "../../core/ports/store.ts";
import type { Question } from "../../core/question.ts";
import type { Run } from "../../core/run.ts";
import { shorten } from "../../core/shorten.ts";
import { cursorKind, pageLimit } from "./cursor.ts";
import { selectRuns, type RunLoader } from "./load-run.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile } from "./template.ts";

export type ListQuestions = (connection: Connection, query: QuestionQuery) => Promise<Page<OpenQuestion>>;

/** Runs that are read at once. */
const RUNS_PER_READ = 100;
const MAX_TITLE_CHARS = 200;
/** Most runs that are searched for one page, so that a filter which hardly anything passes does not block other work. */
const MAX_RUNS_READ = 1000;

/** Where a page ended: after a run, or inside it after a question. */
interface Place {
  ordinal: number;
  questionId?: string;
}

const isPlace = (value: unknown): value is string =>
  typeof value === "string" && /^\d{1,15}(:[^]*)?$/.test(value);

export function createOpenQuestions(dialect: SqlDialect, loader: RunLoader): ListQuestions {
  // Few runs ask at any time: what else the query names is looked for among them, and no other index is to be taken for it.
  function asking({ agent, conversation, run, goal }: QuestionQuery, from: Place, limit: number) {
    let query = selectRuns(dialect)
      .select("runs.ordinal")
      .where("expires_at", "is not", null)
      .where("runs.ordinal", from.questionId === undefined ? ">" : ">=", from.ordinal)
      .orderBy("runs.ordinal")
      .limit(limit);
    if (agent !== undefined) query = query.where(sql<string>`agent || ''`, "=", agent);
    if (conversation !== undefined) {
      query = query.where(sql<string>`coalesce(conversation, runs.id)`, "=", conversation);
    }
    if (run !== undefined) query = query.where("runs.id", "=", run);
    if (goal !== undefined) {
      query = query.where(sql<string>`${goal}`, "in", [
        sql<string>`runs.id`,
        sql<string>`coalesce(parent, '')`,
        sql<string>`coalesce(root, '')`,
      ]);
    }
    return compile(query);
  }

  async function goalOf(connection: Connection, run: Run): Promise<OpenQuestion["goal"]> {
    const above = [run.parent_id, run.root_id].filter((id) => id !== null && id !== run.id);
    for (const id of [run.id, ...new Set(above)]) {
      const found = id === run.id ? run : (await loader.load(connection, id ?? ""))?.state.run;
      if (found?.options.goal)
        return { id: found.id, title: shorten(found.task.description, MAX_TITLE_CHARS) };
    }
    return null;
  }

  return async (connection, query) => {
    const { kind, audience, agent, conversation, run: only, goal: wanted, cursor } = query;
    const filters = { kind, audience, agent, conversation, run: only, goal: wanted };
    const cursors = cursorKind("questions", filters, isPlace);
    const size = pageLimit(query.limit);
    const items: OpenQuestion[] = [];
    let place: Place = cursor === undefined ? { ordinal: -1 } : parsePlace(cursors.decode(cursor));
    for (let read = 0; read < MAX_RUNS_READ; read += RUNS_PER_READ) {
      const rows = await connection.all(asking(query, place, RUNS_PER_READ));
      for (const row of rows) {
        const { run } = (await loader.complete(connection, row)).state;
        let goal: OpenQuestion["goal"] | undefined;
        for (const question of questionsAfter(run.questions, row.ordinal, place)) {
          const fits =
            (kind ?? question.kind) === question.kind &&
            (audience ?? question.audience) === question.audience;
          if (!fits) continue;
          if (items.length === size) return { items, next_cursor: cursors.encode(placeText(place)) };
          if (goal === undefined) goal = await goalOf(connection, run);
          const { id, agent: asker, conversation_id } = run;
          items.push({ run_id: id, agent: asker, conversation_id, goal, question });
          place = { ordinal: row.ordinal, questionId: question.id };
        }
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < RUNS_PER_READ) return { items, next_cursor: null };
      place = { ordinal: last.ordinal };
    }
    return { items, next_cursor: cursors.encode(placeText(place)) };
  };
}

/** Returns the questions after a place. One that closed since the page ended no longer marks it: then the others of its run come again. */
function questionsAfter(questions: readonly Question[], ordinal: number, place: Place): readonly Question[] {
  if (ordinal !== place.ordinal) return questions;
  return questions.slice(questions.findIndex(({ id }) => id === place.questionId) + 1);
}

function placeText({ ordinal, questionId }: Place): string {
  return questionId === undefined ? `${ordinal}` : `${ordinal}:${questionId}`;
}

function parsePlace(text: string): Place {
  const colon = text.indexOf(":");
  if (colon === -1) return { ordinal: Number(text) };
  return { ordinal: Number(text.slice(0, colon)), questionId: text.slice(colon + 1) };
}
