// The Store in one SQLite file.
import { resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { Store } from "../../core/ports/store.ts";
import { checkVersion, migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations.ts";
import { createRunCache, noRunCache } from "../sql/run-cache.ts";
import { createSqlStore } from "../sql/sql-store.ts";
import { createWatchers } from "../sql/watchers.ts";
import { connectObserver, connectReader, connectWriter } from "./connect.ts";
import { watchStanding } from "../standing-files.ts";
import { createConfirmDamage } from "./confirm-damage.ts";
import { createGroupCommit } from "./group-commit.ts";
import { findLostFrames } from "./lost-frames.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { mapSqliteErrors } from "./sqlite-errors.ts";

interface SqliteStoreOptions {
  /** The database file; it is created with its directory when missing. */
  file: string;
  /** Opens an existing file and changes nothing, even while another process writes. */
  readOnly?: boolean;
  /** Largest size of the database, in pages of 4096 bytes; beyond it writes fail with STORE_FULL. */
  maxPageCount?: number;
  /** Files that belong to the database: once one of them, or the database, was removed or replaced, writes are refused. */
  alongside?: readonly string[];
  /** Called once, when committed data may be missing. */
  onLoss?: (message: string) => void;
}

const READ_CACHE_CHARS = 16 * 1024 * 1024;

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const file = resolve(options.file);
  return options.readOnly ? openToRead(file) : openToWrite(file, options);
}

async function openToWrite(file: string, options: SqliteStoreOptions): Promise<Store> {
  let phase: "opening" | "open" = "opening";
  const mapError = mapSqliteErrors(file, () => phase, createConfirmDamage(file));
  const cache = createRunCache();
  const writer = connectWriter(file, mapError, options.maxPageCount);
  const standing = watchStanding([file, `${file}-wal`, ...(options.alongside ?? [])]);
  const commits = createGroupCommit(writer, cache.clear, () => standing.check());
  try {
    const loss = findLostFrames(writer, file);
    if (loss !== undefined) options.onLoss?.(loss);
    await commits.write((tx) => migrate(tx, sqliteDialect, file));
    const reader = connectReader(file, mapError);
    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      await commits.close();
      reader.close();
      try {
        writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch {
        // Nothing is lost: what is committed stays in the write-ahead log.
      }
      writer.close();
    };
    phase = "open";
    return createSqlStore({
      cache,
      readCache: createRunCache(READ_CACHE_CHARS),
      soleWriter: true,
      watchers: createWatchers(),
      backend: {
        dialect: sqliteDialect,
        read: reader,
        write: commits.write,
        check: () => standing.check(true),
        close: () => (closing ??= close()),
      },
    });
  } catch (error) {
    writer.close();
    throw error;
  }
}

async function openToRead(file: string): Promise<Store> {
  let phase: "opening to read" | "open" = "opening to read";
  const observer = connectObserver(
    file,
    mapSqliteErrors(file, () => phase),
  );
  try {
    await checkReadable(observer, file);
  } catch (error) {
    observer.close();
    throw error;
  }
  phase = "open";
  return createSqlStore({
    cache: noRunCache,
    readCache: noRunCache,
    soleWriter: false,
    watchers: createWatchers(),
    backend: {
      dialect: sqliteDialect,
      read: observer,
      readOnly: true,
      write: () => Promise.reject(new ProctorError("STORE_UNAVAILABLE", `${file} was opened only to read`)),
      close: async () => observer.close(),
    },
  });
}

async function checkReadable(observer: SqliteConnection, file: string): Promise<void> {
  const table = observer.first({
    sql: "select name from sqlite_master where type = 'table' and name = 'proctor_migrations'",
    parameters: [],
  });
  if (table !== undefined && (await checkVersion(observer, sqliteDialect, file)) === MIGRATIONS.length)
    return;
  throw new ProctorError(
    "FILE_UNREADABLE",
    `${file} is not a Proctor database, or one of an older version\n` +
      `Run \`proctor up\` on it once to bring it up to date.`,
  );
}
