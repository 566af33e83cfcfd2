// The rows of processes that say that they are there: workers, and doubles with what they were asked.

/** A double; its times are epoch milliseconds. */
export interface DoublesTable {
  id: string;
  /** What it said of itself, as JSON. */
  document: string;
  started_at: number;
  seen_at: number;
  alive_until: number;
  /** Null until it said that it ends. */
  ended_at: number | null;
  /** How many requests it was asked, also those that were dropped. */
  requests: number;
  /** How many of them nothing matched. */
  unmatched: number;
}

export interface DoubleRequestsTable {
  double_id: string;
  number: number;
  document: string;
  /** The document in lower case, without backslashes. */
  search: string;
  /** 1 when nothing matched. */
  unmatched: number;
}

/** Until when, in epoch milliseconds, each worker is known to be alive, and what operators are told of it. */
export interface WorkersTable {
  id: string;
  alive_until: number;
  /** What the worker says of itself, as JSON; null where nobody asked it. */
  document: string | null;
  /** How many runs it has in flight. */
  busy: number;
  /** 1 when it was asked to take no more runs. */
  draining: number;
}
