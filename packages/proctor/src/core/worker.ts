// A process that carries out runs, as operators see it.
export interface Worker {
  /** Id of the worker, made of host and process; `run.started` names it. */
  id: string;
  host: string;
  pid: number;
  version: string;
  labels: string[];
  /** How the worker reaches the runs: it has the database, or a hub. Absent in rows of older versions, which have the database. */
  over?: "database" | "http";
  /** Number of runs that the worker takes at once. */
  slots: number;
  /** Number of runs that the worker has in flight. */
  busy: number;
  /** Whether the worker takes no more runs, and ends when those in flight have ended. */
  draining: boolean;
  /** Why the worker takes no run now, though it has free slots: its disk is full. Absent while there is room. */
  no_room?: string;
  /** False once the worker was silent for longer than it may be. */
  alive: boolean;
  started_at: string;
  seen_at: string;
}

/** What a worker reports about itself when it beats. */
export type WorkerBeat = Omit<Worker, "alive" | "seen_at">;
