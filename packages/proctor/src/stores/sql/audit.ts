// The audit log: who did what to whom, newest first, within its bounds.
import type { Json } from "../../core/json.ts";
import type { Page } from "../../core/page.ts";
import { AUDIT_LIMITS, type AuditFilter } from "../../core/ports/token-store.ts";
import type { AuditEntry, NewAuditEntry } from "../../core/token.ts";
import { cursorKind, isWholeKey, pageLimit } from "./cursor.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";
import { toPage } from "./to-page.ts";

type TimedEntry = NewAuditEntry & { at: number };

interface AuditQueries {
  /** Returns the time before which nothing is kept. */
  note(tx: Connection, entries: readonly TimedEntry[]): Promise<number>;
  list(connection: Connection, filter: AuditFilter): Promise<Page<AuditEntry>>;
}

interface NewRow {
  at: number;
  actor: string;
  action: string;
  subject: string;
  details: string;
}

const ROWS_PER_STATEMENT = 64;

export function createAuditQueries({ builder }: SqlDialect): AuditQueries {
  const insert = template((row: NewRow) =>
    builder.insertInto("audit").values({
      at: row.at,
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      details: row.details,
    }),
  );
  const last = template(() =>
    builder.selectFrom("audit").select("sequence").orderBy("sequence", "desc").limit(1),
  );
  const beyond = template(({ sequence }: { sequence: number }) =>
    builder.deleteFrom("audit").where("sequence", "<=", sequence),
  );
  const older = template(({ at }: { at: number }) => builder.deleteFrom("audit").where("at", "<", at));

  return {
    async note(tx, entries) {
      let newest = 0;
      const rows = entries.map(({ at, actor, action, subject, details }): NewRow => {
        newest = Math.max(newest, at);
        return { at, actor, action, subject, details: JSON.stringify(details) };
      });
      for (let next = 0; next < rows.length; next += ROWS_PER_STATEMENT) {
        const some = rows.slice(next, next + ROWS_PER_STATEMENT);
        const [only] = some;
        await tx.run(
          only && some.length === 1 ? insert(only) : compile(builder.insertInto("audit").values(some)),
        );
      }
      const { sequence } = (await tx.first(last({}))) ?? { sequence: 0 };
      await tx.run(beyond({ sequence: sequence - AUDIT_LIMITS.entries }));
      const before = newest - AUDIT_LIMITS.ageMs;
      await tx.run(older({ at: before }));
      return before;
    },
    async list(connection, { cursor, limit, actor, subject }) {
      const size = pageLimit(limit);
      const cursors = cursorKind("audit", [actor ?? null, subject ?? null], isWholeKey);
      let query = builder
        .selectFrom("audit")
        .select(["sequence", "at", "actor", "action", "subject", "details"])
        .orderBy("sequence", "desc")
        .limit(size + 1);
      if (cursor !== undefined) query = query.where("sequence", "<", cursors.decode(cursor));
      if (actor !== undefined) query = query.where("actor", "=", actor);
      if (subject !== undefined) query = query.where("subject", "=", subject);
      const rows = await connection.all(compile(query));
      return toPage(
        rows,
        size,
        (row) => ({ ...row, at: new Date(row.at).toISOString(), details: JSON.parse(row.details) as Json }),
        ({ sequence }) => cursors.encode(sequence),
      );
    },
  };
}
