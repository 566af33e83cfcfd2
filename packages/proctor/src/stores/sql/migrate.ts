// Brings a database to the version this program knows, and refuses one that is already beyond it.
import { ProctorError } from "../../core/errors.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile } from "./template.ts";

/** Migrates inside one transaction. `where` names the database in messages. `steps` are fewer where a test needs an old database. */
export async function migrate(
  tx: Connection,
  dialect: SqlDialect,
  where: string,
  steps = MIGRATIONS,
): Promise<void> {
  const { builder } = dialect;
  const table = builder.schema
    .createTable("proctor_migrations")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("applied_at", "bigint", (column) => column.notNull());
  await tx.run(compile(table));
  const present = await checkVersion(tx, dialect, where);
  for (const [index, migration] of steps.entries()) {
    const version = index + 1;
    if (version <= present) continue;
    for (const step of migration.steps(dialect)) await tx.run(compile(step));
    const row = { version, name: migration.name, applied_at: Date.now() };
    await tx.run(compile(builder.insertInto("proctor_migrations").values(row)));
  }
}

/** Resolves with the database's version, 0 before the first migration. Throws DATABASE_TOO_NEW. */
export async function checkVersion(
  connection: Connection,
  { builder }: SqlDialect,
  where: string,
): Promise<number> {
  const newest = builder.selectFrom("proctor_migrations").select((eb) => eb.fn.max("version").as("version"));
  const version = (await connection.first(compile(newest)))?.version ?? 0;
  if (version <= MIGRATIONS.length) return version;
  throw new ProctorError(
    "DATABASE_TOO_NEW",
    `${where} has schema version ${version}; this Proctor knows versions up to ${MIGRATIONS.length}\n` +
      `Use the newer Proctor that wrote it, or another database.`,
    { details: { version, supported: MIGRATIONS.length } },
  );
}
