// The runs of a queue that workers without the database have: whoever serves them answers for their jobs, one call at a time, and
// remembers nothing in between.

/** What fences a call about a job: the job as it was fetched. */
export interface HeldJob {
  /** The id of its run. */
  id: string;
  retryCount: number;
  queue: string;
  /** When it was fetched, in epoch milliseconds. */
  since: number;
}

export interface LentRun {
  job: HeldJob;
  fence: number;
}

export interface LentRuns {
  /** The job of a run that this process has just claimed; from now on somebody else has it. */
  give(runId: string): HeldJob | undefined;
  /** Answers for the job while something is written to its run. Returns a function that ends this. */
  vouch(job: HeldJob): () => void;
  /**
   * Of those runs that are still held by whoever the fence was given to, the last sequences of their logs, by id. With `beat`, the
   * queue is told that the holder is alive, and runs that it has given to somebody else are left out.
   */
  look(runs: readonly LentRun[], beat: boolean): Promise<Map<string, number>>;
  /** Whether a run waits that a worker with these labels may carry out. */
  waits(labels: readonly string[]): Promise<boolean>;
  /** Calls back when something may wait. */
  watch(listener: () => void): () => void;
}
