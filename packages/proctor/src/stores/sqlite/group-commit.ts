// One commit for all writes that arrive in one turn of the event loop: each waits for the disk, together they wait once.
import { ProctorError } from "../../core/errors.ts";
import { createCommitBatches } from "../sql/commit-batches.ts";
import type { Connection, Operation } from "../sql/sql-backend.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

export interface GroupCommit {
  /** Runs the operation in a transaction; resolves after COMMIT. */
  write: <T>(operation: Operation<T>) => Promise<T>;
  /** Commits what waits and refuses later writes. */
  close: () => Promise<void>;
}

interface Job {
  operation: Operation<unknown>;
  /** Called with the result of the operation. */
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** Most writes that go into one commit; the rest go into the next, so that reads do not wait for long. */
const MAX_GROUP = 512;

/** `onRollback` is called whenever operations were undone; when `check` throws, writes are rejected with that. */
export function createGroupCommit(
  connection: SqliteConnection,
  onRollback: () => void,
  check: () => void = () => undefined,
): GroupCommit {
  const queue: Job[] = [];
  let scheduled = false;
  let closed = false;
  let onIdle: (() => void) | undefined;
  /** Whether the operation that is running has changed anything. */
  let wrote = false;

  const tx: Connection = {
    first: connection.first,
    all: connection.all,
    run(query) {
      const before = wrote;
      wrote = true;
      const rows = connection.run(query);
      wrote = before || rows > 0;
      return rows;
    },
    lastKey: connection.lastKey,
    later: (step, item) => batches.later(step, item),
    async settle() {
      const before = wrote;
      // An operation that uses this cannot be refused alone when it fails: its items belong to others as well.
      wrote = true;
      await batches.settle();
      wrote = before;
    },
  };
  const batches = createCommitBatches(connection);

  /** Resolves with a function that answers the job once the group is committed. Throws an error that must undo the group. */
  async function perform({ operation, resolve, reject }: Job): Promise<() => void> {
    wrote = false;
    try {
      const value = await operation(tx);
      return () => resolve(value as never);
    } catch (error) {
      // Refused before it wrote: there is nothing to undo.
      if (!wrote) return () => reject(error);
      throw error;
    }
  }

  async function commit(jobs: readonly Job[]): Promise<void> {
    const answers: (() => void)[] = [];
    try {
      connection.exec("BEGIN IMMEDIATE");
      for (const job of jobs) answers.push(await perform(job));
      await batches.settle();
      connection.exec("COMMIT");
    } catch (error) {
      rollback();
      throw error;
    }
    for (const answer of answers) answer();
  }

  function rollback(): void {
    onRollback();
    batches.clear();
    try {
      // SQLite may have rolled back by itself, as it does when the disk is full.
      if (connection.inTransaction()) connection.exec("ROLLBACK");
    } catch {
      // The next BEGIN then fails, and its writers get the error.
    }
  }

  /** Commits all jobs at once; if that fails, each on its own, so that none fails because of another. */
  async function settle(jobs: readonly Job[]): Promise<void> {
    try {
      await commit(jobs);
    } catch (error) {
      if (jobs.length > 1) for (const job of jobs) await settle([job]);
      else for (const job of jobs) job.reject(error);
    }
  }

  async function flush(): Promise<void> {
    const jobs = queue.splice(0, MAX_GROUP);
    try {
      check();
      await settle(jobs);
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
    if (queue.length > 0) setImmediate(() => void flush());
    else {
      scheduled = false;
      onIdle?.();
    }
  }

  return {
    write: <T>(operation: Operation<T>) =>
      new Promise<T>((resolve, reject) => {
        if (closed) {
          reject(new ProctorError("STORE_UNAVAILABLE", "the store is closed"));
          return;
        }
        queue.push({ operation, resolve, reject });
        if (scheduled) return;
        scheduled = true;
        setImmediate(() => void flush());
      }),
    async close() {
      closed = true;
      if (!scheduled) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}
