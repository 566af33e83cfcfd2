// Doubles that registered with a hub: in this process (cli/compose/), and over HTTP (hub/).
import type { Double, DoubleRequest, DoubleRequestQuery, NewDouble, NewDoubleRequest } from "../double.ts";
import type { Page } from "../page.ts";

export interface AnnouncedDouble {
  id: string;
  /** Milliseconds between two reports that the double is alive. */
  beat_ms: number;
}

export interface Doubles {
  announce(double: NewDouble): Promise<AnnouncedDouble>;
  /** Keeps the requests to the double; an empty list only reports that it is alive. Throws DOUBLE_NOT_FOUND. */
  record(id: string, requests: readonly NewDoubleRequest[]): Promise<Double>;
  /** Throws DOUBLE_NOT_FOUND. */
  end(id: string): Promise<Double>;
  list(): Promise<{ items: Double[]; next_cursor: null }>;
  /** Throws DOUBLE_NOT_FOUND. */
  get(id: string): Promise<Double>;
  /** Lists the requests to a double, the newest first. Throws DOUBLE_NOT_FOUND or INVALID_CURSOR. */
  requests(id: string, query: DoubleRequestQuery): Promise<Page<DoubleRequest>>;
}
