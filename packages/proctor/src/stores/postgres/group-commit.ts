// Transactions on a pool: writes of one lane keep their order and share commits, writes of different lanes do not wait for one another.
import type { Pool, PoolClient } from "pg";
import { ProctorError } from "../../core/errors.ts";
import { createCommitBatches } from "../sql/commit-batches.ts";
import type { Operation } from "../sql/sql-backend.ts";
import { openConnection, type PostgresConnection } from "./postgres-connection.ts";
import { isCollision, isLost, type ErrorMapper } from "./postgres-errors.ts";

export interface GroupCommit {
  /** Runs the operation in a transaction; resolves after COMMIT. */
  write: <T>(operation: Operation<T>, lane?: string) => Promise<T>;
  /** Commits what waits and refuses later writes. */
  close: () => Promise<void>;
}

interface Job {
  operation: Operation<unknown>;
  /** Called with the result of the operation. */
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** Most writes of a lane that go into one commit. */
const MAX_GROUP = 64;
/** Times that a transaction is tried that collides with others. */
const ATTEMPTS = 6;

/** Thrown when the transaction's end was sent and no answer came. */
class UnknownOutcome extends Error {}

export function createGroupCommit(pool: Pool, mapError: ErrorMapper): GroupCommit {
  const lanes = new Map<string, Job[]>();
  let closed = false;
  let onIdle: (() => void) | undefined;

  /** Resolves with functions that answer the jobs, for use once the group is committed. */
  async function commit(client: PoolClient, jobs: readonly Job[]): Promise<(() => void)[]> {
    const statements = openConnection(client);
    const { later, settle: write } = createCommitBatches(statements);
    const connection = { ...statements, later, settle: write };
    const answers: (() => void)[] = [];
    await client.query("BEGIN");
    try {
      for (const job of jobs) answers.push(await perform(connection, job));
      await write();
    } catch (error) {
      // A connection that is lost is not asked: it may never answer, and goes anyway.
      if (!isLost(error)) await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    }
    try {
      await client.query("COMMIT");
    } catch (error) {
      throw isLost(error) ? new UnknownOutcome("COMMIT was not answered", { cause: error }) : error;
    }
    return answers;
  }

  async function withClient<T>(use: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken = false;
    try {
      return await use(client);
    } catch (error) {
      broken = error instanceof UnknownOutcome || isLost(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function settle(jobs: readonly Job[]): Promise<void> {
    try {
      const answers = await retryCollisions(() => withClient((client) => commit(client, jobs)));
      for (const answer of answers) answer();
    } catch (error) {
      if (error instanceof UnknownOutcome) return refuse(jobs, unknownOutcome(mapError(error.cause)));
      // Each on its own, so that none fails because of another; but not when the database is gone, which fails all alike.
      if (jobs.length > 1 && !isLost(error)) for (const job of jobs) await settle([job]);
      else refuse(jobs, mapError(error));
    }
  }

  async function drain(lane: string, queue: Job[]): Promise<void> {
    // What arrives in one turn of the loop shares a commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await settle(queue.splice(0, MAX_GROUP));
    lanes.delete(lane);
    if (lanes.size === 0) onIdle?.();
  }

  return {
    write: <T>(operation: Operation<T>, lane = "") =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(storeClosed());
        const job = { operation, resolve, reject };
        const queue = lanes.get(lane);
        if (queue !== undefined) return void queue.push(job);
        const started = [job];
        lanes.set(lane, started);
        void drain(lane, started);
      }),
    async close() {
      closed = true;
      if (lanes.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
  };
}

/** Performs a job. Throws an error that must undo the group. */
async function perform(tx: PostgresConnection, { operation, resolve, reject }: Job): Promise<() => void> {
  let wrote = false;
  const watched: PostgresConnection = {
    first: tx.first,
    all: tx.all,
    async run(query) {
      const before = wrote;
      wrote = true;
      const rows = await tx.run(query);
      wrote = before || rows > 0;
      return rows;
    },
    ...(tx.later && { later: tx.later }),
    ...(tx.settle && { settle: tx.settle }),
  };
  try {
    const value = await operation(watched);
    return () => resolve(value as never);
  } catch (error) {
    // Refused before it wrote: there is nothing to undo. What the database refuses has ended the transaction.
    if (!wrote && ProctorError.is(error)) return () => reject(error);
    throw error;
  }
}

function refuse(jobs: readonly Job[], error: unknown): void {
  for (const { reject } of jobs) reject(error);
}

export function storeClosed(): ProctorError {
  return new ProctorError("STORE_UNAVAILABLE", "the store is closed");
}

export function unknownOutcome(cause: unknown): ProctorError {
  return new ProctorError(
    "STORE_UNAVAILABLE",
    "the connection to the database was lost during a commit: it may have been made or not\n" +
      "Read what is there before you write it again.",
    { cause },
  );
}

/** Returns whether a write was refused by a database that answers, so that nothing of it remains. */
export function wasUndone(error: unknown): boolean {
  if (!ProctorError.is(error) || error.code !== "STORE_UNAVAILABLE") return true;
  // An unknown outcome has an error of the catalogue as its cause.
  return error.cause !== undefined && !ProctorError.is(error.cause) && !isLost(error.cause);
}

/** Tries transactions again that were undone only because of concurrent ones. */
export async function retryCollisions<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact();
    } catch (error) {
      if (!isCollision(error) || attempt === ATTEMPTS) throw error;
      await pause(attempt);
    }
  }
}

/** Waits longer with each attempt, and never the same time for two that collided. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
}
