// The store that the configuration names. What belongs to PostgreSQL is loaded only where it is used.
import { ProctorError } from "../../core/errors.ts";
import type { RunQueue } from "../../core/ports/run-queue.ts";
import type { Store } from "../../core/ports/store.ts";
import { openSqliteStore } from "../../stores/sqlite/open-store.ts";
import type { Config } from "../config/load-config.ts";

type StoreConfig = Pick<Config, "databaseFile" | "databaseUrl" | "artifactsDir" | "bucket">;

export async function openStore(
  config: StoreConfig,
  report: (problem: unknown, runId: string) => void,
  queue?: RunQueue,
): Promise<Store> {
  if (config.databaseUrl !== undefined) return openShared(config.databaseUrl, queue);
  return openSqliteStore({
    file: config.databaseFile,
    alongside: config.bucket ? [] : [config.artifactsDir],
    onLoss: (message) => report(new ProctorError("DATABASE_CORRUPT", message), ""),
  });
}

/** Opens a store that others may be writing to. A database that processes share needs nothing special for that. */
export async function openStoreToRead({ databaseFile, databaseUrl }: StoreConfig): Promise<Store> {
  if (databaseUrl !== undefined) return openShared(databaseUrl);
  return openSqliteStore({ file: databaseFile, readOnly: true });
}

async function openShared(url: string, queue?: RunQueue): Promise<Store> {
  const { openPostgresStore } = await import("../../stores/postgres/open-store.ts");
  return openPostgresStore({ url, ...(queue && { queue }) });
}
