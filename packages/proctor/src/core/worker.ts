// A process that carries out runs, as operators see it.
export interface Worker {
  /** Host and process: `run.started` names it. */
  id: string;
  host: string;
  pid: number;
  version: string;
  labels: string[];
  /** How it reaches the runs: it has the database, or a hub. Absent in rows of older versions, which have the database. */
  over?: "database" | "http";
  /** How many runs it takes at once. */
  slots: number;
  /** How many runs it has in flight. */
  busy: number;
  /** It takes no more runs, and ends when those in flight have. */
  draining: boolean;
  /** Why it takes no run now, though it has free slots: its disk is full. Absent while there is room. */
  no_room?: string;
  /** False once nothing was heard of it for longer than a worker may be silent. */
  alive: boolean;
  started_at: string;
  seen_at: string;
}

/** What a worker says of itself when it beats. */
export type WorkerBeat = Omit<Worker, "alive" | "seen_at">;
