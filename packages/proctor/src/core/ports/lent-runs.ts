// The runs of a queue that workers without the database hold: the server of these workers answers for their jobs, one call at a time, and
// remembers nothing in between.

/** The fence of a call about a job: the job as it was fetched. */
export interface HeldJob {
  /** Id of the job's run. */
  id: string;
  retryCount: number;
  queue: string;
  /** When the job was fetched, in epoch milliseconds. */
  since: number;
}

export interface LentRun {
  job: HeldJob;
  fence: number;
}

export interface LentRuns {
  /** Returns the job of a run that this process has just claimed; from now on another worker has it. */
  give(runId: string): HeldJob | undefined;
  /** Answers for the job while something is written to its run. Returns a function that ends this. */
  vouch(job: HeldJob): () => void;
  /**
   * Resolves with the last sequences of the logs, by id, of those runs that the holder of the fence still has. With `beat`, the
   * queue learns that the holder is alive, and runs that it has given to another worker are left out.
   */
  look(runs: readonly LentRun[], beat: boolean): Promise<Map<string, number>>;
  /** Resolves with whether a run waits that a worker with these labels may carry out. */
  waits(labels: readonly string[]): Promise<boolean>;
  /** Calls back when something may wait. */
  watch(listener: () => void): () => void;
}
