// Removes a run inside a transaction, so that readers see nothing of it afterwards, and lists the files that are left without an owner.
// Events beyond the first slice are only noted: erase-events.ts removes them.
import { ProctorError } from "../../core/errors.ts";
import type { StoredFiles } from "../../core/ports/store.ts";
import { isTerminal } from "../../core/run.ts";
import { LARGEST_SLICE, type EraseSlice } from "./erase-events.ts";
import type { Positions } from "./feed.ts";
import type { RunLoader } from "./load-run.ts";
import { ORDINALS_PER_BLOCK, type RunCounter } from "./run-blocks.ts";
import type { RunCache } from "./run-cache.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";
import type { Unreferenced } from "./unreferenced.ts";

interface DeletedRun {
  ordinal: number;
  lastSequence: number;
  files: StoredFiles;
  eventsLeft: boolean;
}

/** Resolves with undefined when there is no such run. */
type DeleteRun = (tx: Connection, id: string) => Promise<DeletedRun | undefined>;

/** Size of the first slice: most runs have no more events than this, and are gone with one commit. */
const FIRST_SLICE = { ...LARGEST_SLICE, rows: 300 };

interface Id {
  id: string;
}

export function createDeleteRun(
  { builder }: SqlDialect,
  loader: RunLoader,
  cache: RunCache,
  unreferenced: Unreferenced,
  eraseSlice: EraseSlice,
  positions: Positions,
  counter: RunCounter,
): DeleteRun {
  const ordinalOf = template(({ id }: Id) =>
    builder.selectFrom("runs").select("ordinal").where("id", "=", id),
  );
  const filesOf = template(({ id }: Id) =>
    builder.selectFrom("artifacts").select(["sha256", "stored_as"]).where("run_id", "=", id),
  );
  const dropArtifacts = template(({ id }: Id) => builder.deleteFrom("artifacts").where("run_id", "=", id));
  const noteRemoved = template(({ id }: Id) => builder.insertInto("removed_runs").values({ run_id: id }));
  const dropText = template(({ ordinal }: { ordinal: number }) =>
    builder.deleteFrom("run_texts").where("ordinal", "=", ordinal),
  );
  const dropRun = template(({ id }: Id) => builder.deleteFrom("runs").where("id", "=", id));

  return async (tx, id) => {
    // Another operation of this commit may have created the run.
    await tx.settle?.();
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
    await positions.keep(tx);
    await tx.run(dropArtifacts({ id }));
    const eventsLeft = await eraseSlice(tx, id, FIRST_SLICE);
    if (eventsLeft) await tx.run(noteRemoved({ id }));
    await tx.run(dropText(row));
    await tx.run(dropRun({ id }));
    await counter.removed(tx, Math.floor(row.ordinal / ORDINALS_PER_BLOCK));
    cache.remove(id);
    return {
      ordinal: row.ordinal,
      eventsLeft,
      lastSequence: record.nextSequence - 1,
      files: await unreferenced(tx, {
        hashes: files.flatMap(({ sha256 }) => sha256 ?? []),
        names: files.flatMap(({ stored_as }) => stored_as ?? []),
      }),
    };
  };
}
