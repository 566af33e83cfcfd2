// What a database must offer so that the queries in this folder can run on it. Everything else here is the same for all.
import type { Expression, Kysely, RawBuilder } from "kysely";
import type { AppendOne } from "./decide-append.ts";
import type { EvaluationWatchers } from "./watchers.ts";
import type { RunCounter } from "./run-blocks.ts";
import type { RunRecord } from "./run-record.ts";
import type { Schema } from "./schema.ts";

export interface Query<Row = unknown> {
  sql: string;
  parameters: readonly unknown[];
  /** Type of the rows; this field is never set. */
  row?: Row;
}

type MaybePromise<T> = T | Promise<T>;

/** Runs compiled queries, at once where the database is in this process. */
export interface Connection {
  first: <Row>(query: Query<Row>) => MaybePromise<Row | undefined>;
  all: <Row>(query: Query<Row>) => MaybePromise<Row[]>;
  /** Runs a query; returns the number of rows written. */
  run: (query: Query) => MaybePromise<number>;
  /** Returns the key of the row inserted last, where the table counts its rows. Absent where the database does not tell. */
  lastKey?: () => number;
  /** Leaves an item to a step that is carried out before the commit, once for all items that were left to it. Absent outside of commits. */
  later?: <Item>(step: BatchStep<Item>, item: Item) => void;
  /** Carries out the steps that have items, for an operation that needs what they write. Absent where `later` is. */
  settle?: () => Promise<void>;
}

export type BatchStep<Item> = (tx: Connection, items: readonly Item[]) => Promise<void>;

/** Work in a transaction. It awaits only its transaction, and may run again after a rollback, so it must have no effect elsewhere. */
export type Operation<T> = (tx: Connection) => Promise<T>;

/** The differences between databases. Fragments are empty where a database needs none. */
export interface SqlDialect {
  /** Builds and compiles queries; never executes them. */
  builder: Kysely<Schema>;
  /** A column type that counts up by itself. */
  ordinalType: Expression<unknown>;
  /** A text type that sorts by code point. */
  nameType: Expression<unknown>;
  /** Ends a CREATE TABLE whose rows are to be kept in the order of the primary key. */
  clustered: RawBuilder<unknown>;
  /** Ends a SELECT of one table's row that is about to be changed. */
  lockRow: RawBuilder<unknown>;
  /** Ends a SELECT of a run that is about to be changed. */
  lockRun: RawBuilder<unknown>;
  /** Ends a SELECT of runs that are about to be changed, and skips those that another transaction is changing. */
  lockFreeRuns: RawBuilder<unknown>;
  /**
   * Takes a position of the feed for the last of at most FEED_STRIDE events, and those right below for the others. Absent where the one
   * process that writes counts by itself.
   */
  nextPosition?: RawBuilder<number>;
  /** Returns a text that changes with every row of the table. Absent where one process alone writes. */
  revisionOf?: (table: "agents" | "script_tools") => RawBuilder<string>;
}

export interface AppenderDeps {
  /** Reads a run as it was committed. */
  load: (id: string) => Promise<RunRecord | undefined>;
  /** Appends where that takes more than one statement. */
  appendInTransaction: AppendOne;
}

export interface FeedEnd {
  /** Last position that was given. */
  end: number;
  /** False when something may still be committed below it. */
  isSettled: boolean;
}

export interface SqlBackend {
  dialect: SqlDialect;
  /** Connection that sees committed data only, including everything acknowledged. */
  read: Connection;
  /**
   * Runs the operation in a transaction and answers after COMMIT. Operations of the same lane are carried out in the order in which they
   * came, and so are those without one; others need not wait for one another.
   */
  write: <T>(operation: Operation<T>, lane?: string) => Promise<T>;
  close: () => Promise<void>;
  /** Appends many at once. Absent where each is a step of a transaction like any other. */
  appender?: (deps: AppenderDeps) => AppendOne;
  /** Counts runs. Absent where that is done in the rows that are read. */
  runCounter?: RunCounter;
  /** Finds out how far the feed can be read. Absent where commits have the order of their positions. */
  settledEnd?: () => Promise<FeedEnd>;
  /** Reports changed evaluations. Absent where no other process can change one. */
  evaluationWatchers?: EvaluationWatchers;
  /** Throws STORE_UNAVAILABLE when the open files are not those that others would open. */
  check?: () => void;
  /** True when nothing may be written. */
  readOnly?: boolean;
}
