// The audit log: who did what to whom, newest first, within its bounds.
import type { Json } from "../../core/json.ts";
import type { Page } from "../../core/page.ts";
import { AUDIT_LIMITS, type AuditFilter } from "../../core/ports/token-store.ts";
import type { AuditEntry, NewAuditEntry } from "../../core/token.ts";
import { cursorKind, isWholeKey } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import type { AuditTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

type TimedEntry = NewAuditEntry & { at: number };

interface AuditQueries {
  /** Appends entries; resolves with the time before which nothing is kept. */
  note(tx: Connection, entries: readonly TimedEntry[]): Promise<number>;
  list(connection: Connection, filter: AuditFilter): Promise<Page<AuditEntry>>;
}

type NewRow = Omit<AuditTable, "sequence">;

const ROWS_PER_STATEMENT = 64;

export function createAuditQueries({ builder }: SqlDialect): AuditQueries {
  const insert = template((row: NewRow) => builder.insertInto("audit").values(row));
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
    list(connection, { actor, subject, ...request }) {
      return readPage(request, {
        cursors: cursorKind("audit", [actor ?? null, subject ?? null], isWholeKey),
        rows(before, limit) {
          let query = builder
            .selectFrom("audit")
            .select(["sequence", "at", "actor", "action", "subject", "details"])
            .orderBy("sequence", "desc")
            .limit(limit);
          if (before !== undefined) query = query.where("sequence", "<", before);
          if (actor !== undefined) query = query.where("actor", "=", actor);
          if (subject !== undefined) query = query.where("subject", "=", subject);
          return connection.all(compile(query));
        },
        decode: ({ at, details, ...row }) => ({
          ...row,
          at: new Date(at).toISOString(),
          details: JSON.parse(details) as Json,
        }),
        keyOf: ({ sequence }) => sequence,
      });
    },
  };
}
