// The Store in a PostgreSQL database, which several processes may share.
import type { RunQueue } from "../../core/ports/run-queue.ts";
import type { Store } from "../../core/ports/store.ts";
import { createRunCache, noRunCache } from "../sql/run-cache.ts";
import { createSqlStore } from "../sql/sql-store.ts";
import type { RunRecord } from "../sql/run-record.ts";
import { createAppendBatches } from "./append-batches.ts";
import { appendPlanned } from "./append-statement.ts";
import { connectPool } from "./connect.ts";
import { openCommitNews, type CommitNews } from "./commit-news.ts";
import { createGroupCommit, storeClosed } from "./group-commit.ts";
import { openConnection, type PostgresConnection } from "./postgres-connection.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { describeUrl, isLost, mapPostgresErrors } from "./postgres-errors.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { createRunCounter } from "./run-counter.ts";
import { createSettledEnd } from "./settled-end.ts";

interface PostgresStoreOptions {
  /** Address of the database: `postgres://user:password@host:port/database`. */
  url: string;
  /** Most connections that the store opens, in addition to the one that listens. */
  connections?: number;
  /** Milliseconds after which a query without an answer is given up, with its connection. */
  answerMs?: number;
  /** Decides which worker has which run, in the transactions of this store. */
  queue?: RunQueue;
}

const DEFAULT_CONNECTIONS = 8;

export async function openPostgresStore({
  url,
  connections = DEFAULT_CONNECTIONS,
  answerMs,
  queue,
}: PostgresStoreOptions): Promise<Store> {
  const mapError = mapPostgresErrors(url);
  const pool = await connectPool({ url, connections, answerMs });
  const commits = createGroupCommit(pool, mapError);
  const cache = createRunCache();
  const appends = createAppendBatches({
    pool,
    cache,
    mapError,
    transact: commits.write,
    ...(queue && { queue }),
  });
  let closing: Promise<void> | undefined;
  let news: CommitNews | undefined;

  /** Runs a query that changes nothing; one that a broken connection swallowed is repeated on another. */
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    if (closing) throw storeClosed();
    try {
      return await question().catch((error: unknown) => {
        if (!isLost(error)) throw error;
        return question();
      });
    } catch (error) {
      throw closing ? storeClosed() : mapError(error);
    }
  }

  async function close(): Promise<void> {
    await appends.close();
    await commits.close();
    // Afterwards the last commits are announced.
    await new Promise((resolve) => setImmediate(resolve));
    await news?.close();
    await pool.end();
  }

  const direct = openConnection(pool);
  const read: PostgresConnection = {
    first: (query) => ask(() => direct.first(query)),
    all: (query) => ask(() => direct.all(query)),
    run: (query) => ask(() => direct.run(query)),
  };
  const settledEnd = createSettledEnd(read);
  try {
    await commits.write((tx) => prepareDatabase(tx, describeUrl(url)));
    news = await openCommitNews({ url, pool, read, settledEnd, mapError });
  } catch (error) {
    await pool.end();
    throw error;
  }
  return createSqlStore({
    cache: noRunCache,
    readCache: noRunCache,
    soleWriter: false,
    watchers: news.watchers,
    ...(queue && {
      queued: {
        queue,
        append: appendPlanned,
        // What the run's worker appends next needs no look at the run.
        claimed: (record: RunRecord) => cache.set(record.state.run.id, record),
      },
    }),
    backend: {
      dialect: postgresDialect,
      read,
      // An append that came in time may end as a transaction.
      write: (operation, lane) =>
        closing && !(lane !== undefined && appends.isWriting(lane))
          ? Promise.reject(storeClosed())
          : commits.write(operation, lane),
      appender: appends.appender,
      runCounter: createRunCounter((operation) => commits.write(operation)),
      settledEnd,
      evaluationWatchers: news.evaluationWatchers,
      close: () => (closing ??= close()),
    },
  });
}
