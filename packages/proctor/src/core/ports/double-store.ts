// The rows of doubles and of the requests to them. Bounded: of each double the newest requests, and of all doubles the newest.
import type { Double, DoubleRequest, DoubleRequestQuery, NewDouble, NewDoubleRequest } from "../double.ts";
import type { Page } from "../page.ts";

export interface DoubleStore {
  /** Adds a double that is alive until `untilMs` (epoch milliseconds), and forgets those that have been gone for an hour. */
  add(id: string, double: NewDouble, nowMs: number, untilMs: number): Promise<void>;
  /** Extends the double's life to `untilMs`, and adds the requests to it. Resolves with false when there is no such double. */
  record(id: string, requests: readonly NewDoubleRequest[], nowMs: number, untilMs: number): Promise<boolean>;
  /** Marks the double as ended. Resolves with false when there is no such double. */
  end(id: string, nowMs: number): Promise<boolean>;
  /** Lists all doubles that were alive within an hour, the newest first. */
  list(nowMs: number): Promise<Double[]>;
  read(id: string, nowMs: number): Promise<Double | undefined>;
  /** Lists the requests to a double, the newest first. Throws INVALID_CURSOR. */
  requests(id: string, query: DoubleRequestQuery): Promise<Page<DoubleRequest>>;
}
