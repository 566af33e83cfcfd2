// The rows of processes that report that they are alive: workers, and doubles with the requests to them.

/** A double; its times are epoch milliseconds. */
export interface DoublesTable {
  id: string;
  /** What the double reported about itself, as JSON. */
  document: string;
  started_at: number;
  seen_at: number;
  alive_until: number;
  /** When the double reported its end; null before. */
  ended_at: number | null;
  /** Number of requests to the double, including those that were dropped. */
  requests: number;
  /** Number of requests that nothing matched. */
  unmatched: number;
}

export interface DoubleRequestsTable {
  double_id: string;
  number: number;
  document: string;
  /** The document in lower case, without backslashes. */
  search: string;
  /** 1 when nothing matched the request. */
  unmatched: number;
}

/** Until when, in epoch milliseconds, each worker is known to be alive, and what operators are told of it. */
export interface WorkersTable {
  id: string;
  alive_until: number;
  /** What the worker reports about itself, as JSON; null where it reported nothing. */
  document: string | null;
  /** Number of runs that the worker has in flight. */
  busy: number;
  /** 1 when the worker was asked to take no more runs. */
  draining: number;
}
