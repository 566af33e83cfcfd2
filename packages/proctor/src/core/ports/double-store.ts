// The rows of doubles and of what they were asked. Bounded: of each double the newest requests, and of all doubles the newest.
import type { Double, DoubleRequest, DoubleRequestQuery, NewDouble, NewDoubleRequest } from "../double.ts";
import type { Page } from "../page.ts";

export interface DoubleStore {
  /** Adds a double that is there until `untilMs` (epoch milliseconds), and forgets those that have been gone for an hour. */
  add(id: string, double: NewDouble, nowMs: number, untilMs: number): Promise<void>;
  /** Says that it is there until `untilMs`, and adds what it was asked. False when there is no such double. */
  record(id: string, requests: readonly NewDoubleRequest[], nowMs: number, untilMs: number): Promise<boolean>;
  /** It has ended. False when there is no such double. */
  end(id: string, nowMs: number): Promise<boolean>;
  /** All that were there within an hour, the newest first. */
  list(nowMs: number): Promise<Double[]>;
  read(id: string, nowMs: number): Promise<Double | undefined>;
  /** What a double was asked, the newest first. Throws INVALID_CURSOR. */
  requests(id: string, query: DoubleRequestQuery): Promise<Page<DoubleRequest>>;
}
