// Opens the file with the settings that the store's promises need: one connection that writes, others that only read.
import { accessSync, closeSync, constants, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { ProctorError } from "../../core/errors.ts";
import { openConnection, type SqliteConnection } from "./sqlite-connection.ts";
import type { ErrorMapper } from "./sqlite-errors.ts";

const BUSY_TIMEOUT_MS = 5000;
const CACHE_KIB = 16 * 1024;
/** Bytes of the write-ahead log that a checkpoint leaves after a burst. */
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

const COMMON = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, `cache_size = -${CACHE_KIB}`];
/** FULL: a commit is on disk before it is acknowledged, and survives a power failure. */
const DURABLE = ["synchronous = FULL", "foreign_keys = ON", `journal_size_limit = ${WAL_BYTES_KEPT}`];

/** Creates the file and its directory when missing. */
export function connectWriter(file: string, mapError: ErrorMapper, maxPageCount?: number): SqliteConnection {
  createFile(file, mapError);
  const cap = maxPageCount === undefined ? [] : [`max_page_count = ${Math.trunc(maxPageCount)}`];
  const writer = connect(file, mapError, [...COMMON]);
  try {
    setWriteAhead(writer, file);
    for (const setting of [...DURABLE, ...cap]) writer.exec(`PRAGMA ${setting}`);
  } catch (error) {
    writer.close();
    throw error;
  }
  return writer;
}

/** Opens a reader of what the writer of this process has committed. */
export function connectReader(file: string, mapError: ErrorMapper): SqliteConnection {
  return connect(file, mapError, [...COMMON, "query_only = ON"]);
}

/** Opens a reader of a file that may belong to another process; it changes nothing. */
export function connectObserver(file: string, mapError: ErrorMapper): SqliteConnection {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw mapError(error);
  }
  return connect(`${pathToFileURL(file).href}?mode=ro`, mapError, COMMON);
}

function connect(path: string, mapError: ErrorMapper, settings: readonly string[]): SqliteConnection {
  const connection = openConnection(path, mapError);
  try {
    for (const setting of settings) connection.exec(`PRAGMA ${setting}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** Makes the file readable for this user only: the log holds the words of agents. */
function createFile(file: string, mapError: ErrorMapper): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw mapError(error);
  }
}

function setWriteAhead(writer: SqliteConnection, file: string): void {
  const mode = writer.first<{ journal_mode: string }>({ sql: "PRAGMA journal_mode = WAL", parameters: [] });
  if (mode?.journal_mode === "wal") return;
  throw new ProctorError(
    "DATA_DIR_UNWRITABLE",
    `${file}: the file system does not support a write-ahead log\nKeep the data directory on a local disk.`,
  );
}
