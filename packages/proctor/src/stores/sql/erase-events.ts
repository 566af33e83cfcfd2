// Removes the events of runs that are gone, a slice at a time between other work: a run may have a million of them. The database
// lists the runs that have some left, so that the next process to open it goes on.
import { createLongPayloads, eventPayloadBytes, LOG_PAYLOAD_CHARS } from "./long-payloads.ts";
import type { Connection, SqlBackend, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

interface SliceLimits {
  rows: number;
  bytes: number;
}

/** Removes the first events of a run, inside a transaction; resolves with true when some are left. */
export type EraseSlice = (tx: Connection, runId: string, limits: SliceLimits) => Promise<boolean>;

/** Most rows and bytes that are removed at once. */
export const LARGEST_SLICE: SliceLimits = { rows: 1000, bytes: 1024 * 1024 };
const FEWEST_ROWS = 32;
/** Milliseconds that a slice may take, its commit included, before the next is made smaller. */
const TARGET_MS = 15;

export function createEraseSlice(dialect: SqlDialect): EraseSlice {
  const { builder } = dialect;
  const longPayloads = createLongPayloads(dialect);
  const sizes = template(({ run_id, limit }: { run_id: string; limit: number }) =>
    builder
      .selectFrom("events")
      .select(["sequence", eventPayloadBytes().as("bytes")])
      .where("run_id", "=", run_id)
      .orderBy("sequence")
      .limit(limit),
  );
  const drop = template(({ run_id, last }: { run_id: string; last: number }) =>
    builder.deleteFrom("events").where("run_id", "=", run_id).where("sequence", "<=", last),
  );
  return async (tx, runId, { rows, bytes }) => {
    // One row more than is removed, to see whether it is the last slice.
    const found = await tx.all(sizes({ run_id: runId, limit: rows + 1 }));
    let total = 0;
    const end = found.findIndex((row, index) => index === rows || (total += row.bytes) > bytes);
    // An event that is larger than a slice is a slice of its own.
    const last = end === -1 ? found.at(-1) : found[Math.max(0, end - 1)];
    if (last === undefined) return false;
    await tx.run(drop({ run_id: runId, last: last.sequence }));
    if (found.some((row) => row.bytes > LOG_PAYLOAD_CHARS))
      await longPayloads.remove(tx, runId, last.sequence);
    return last !== found.at(-1);
  };
}

interface Eraser {
  /** Starts removing events of removed runs, unless that is under way. */
  wake(): void;
  /** Resolves when the current slice is done; the rest is left for the next time. */
  close(): Promise<void>;
}

export function createEraser(
  { dialect: { builder }, read, write }: Pick<SqlBackend, "dialect" | "read" | "write">,
  eraseSlice: EraseSlice,
): Eraser {
  const next = compile(builder.selectFrom("removed_runs").select("run_id").limit(1));
  const done = template(({ run_id }: { run_id: string }) =>
    builder.deleteFrom("removed_runs").where("run_id", "=", run_id),
  );
  let working: Promise<void> | undefined;
  let closed = false;
  let endPause = (): void => undefined;
  let rows = FEWEST_ROWS;

  async function eraseSome(runId: string): Promise<void> {
    const startedAt = performance.now();
    await write(async (tx) => {
      const more = await eraseSlice(tx, runId, { ...LARGEST_SLICE, rows });
      if (!more) await tx.run(done({ run_id: runId }));
    });
    const tookMs = performance.now() - startedAt;
    rows = tookMs > TARGET_MS ? Math.max(FEWEST_ROWS, rows >> 1) : Math.min(LARGEST_SLICE.rows, rows << 1);
    // Other work gets at least as much time as this took.
    await pause(tookMs);
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      if (closed) endPause();
    });
  }

  async function work(): Promise<void> {
    for (let row = await read.first(next); row !== undefined; row = await read.first(next)) {
      await eraseSome(row.run_id);
      if (closed) return;
    }
  }

  return {
    wake() {
      if (closed) return;
      // What fails now, as on a full disk, is tried again at the next removal or opening.
      working ??= work()
        .catch(() => undefined)
        .finally(() => (working = undefined));
    },
    async close() {
      closed = true;
      endPause();
      await working;
    },
  };
}
