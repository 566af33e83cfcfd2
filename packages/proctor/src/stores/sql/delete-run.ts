// Removes a run with everything of it inside a transaction, and says which files are left without an owner.
import { sql } from "kysely";
import { ProctorError } from "../../core/errors.ts";
import type { StoredFiles } from "../../core/ports/store.ts";
import { isTerminal } from "../../core/run.ts";
import type { RunLoader } from "./load-run.ts";
import { ORDINALS_PER_BLOCK } from "./run-blocks.ts";
import type { RunCache } from "./run-cache.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";
import type { Unreferenced } from "./unreferenced.ts";

export interface DeletedRun {
  ordinal: number;
  lastSequence: number;
  files: StoredFiles;
}

/** Undefined when there is no such run. */
export type DeleteRun = (tx: Connection, id: string) => Promise<DeletedRun | undefined>;

interface Id {
  id: string;
}

export function createDeleteRun(
  { builder }: SqlDialect,
  loader: RunLoader,
  cache: RunCache,
  unreferenced: Unreferenced,
): DeleteRun {
  const ordinalOf = template(({ id }: Id) =>
    builder.selectFrom("runs").select("ordinal").where("id", "=", id),
  );
  const filesOf = template(({ id }: Id) =>
    builder.selectFrom("artifacts").select(["sha256", "stored_as"]).where("run_id", "=", id),
  );
  const dropArtifacts = template(({ id }: Id) => builder.deleteFrom("artifacts").where("run_id", "=", id));
  const dropEvents = template(({ id }: Id) => builder.deleteFrom("events").where("run_id", "=", id));
  const dropRun = template(({ id }: Id) => builder.deleteFrom("runs").where("id", "=", id));
  const discount = template(({ block }: { block: number }) =>
    builder
      .updateTable("run_blocks")
      .set({ total: sql<number>`total - 1` })
      .where("block", "=", block),
  );

  return async (tx, id) => {
    const record = await loader.loadForUpdate(tx, id);
    const row = record && (await tx.first(ordinalOf({ id })));
    if (record === undefined || row === undefined) return undefined;
    const { status } = record.state.run;
    if (!isTerminal(status)) {
      throw new ProctorError("ILLEGAL_TRANSITION", `run ${id} is ${status}: it cannot be removed`, {
        details: { run_id: id, status },
      });
    }
    const files = await tx.all(filesOf({ id }));
    await tx.run(dropArtifacts({ id }));
    await tx.run(dropEvents({ id }));
    await tx.run(dropRun({ id }));
    await tx.run(discount({ block: Math.floor(row.ordinal / ORDINALS_PER_BLOCK) }));
    cache.remove(id);
    return {
      ordinal: row.ordinal,
      lastSequence: record.nextSequence - 1,
      files: await unreferenced(tx, {
        hashes: files.flatMap(({ sha256 }) => sha256 ?? []),
        names: files.flatMap(({ stored_as }) => stored_as ?? []),
      }),
    };
  };
}
