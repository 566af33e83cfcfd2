// Doubles that a hub was told of: in this process (cli/compose/), and over HTTP (hub/).
import type { Double, DoubleRequest, DoubleRequestQuery, NewDouble, NewDoubleRequest } from "../double.ts";
import type { Page } from "../page.ts";

export interface AnnouncedDouble {
  id: string;
  /** How often the double says that it is there, in milliseconds. */
  beat_ms: number;
}

export interface Doubles {
  announce(double: NewDouble): Promise<AnnouncedDouble>;
  /** Keeps what the double was asked; an empty list says only that it is there. Throws DOUBLE_NOT_FOUND. */
  record(id: string, requests: readonly NewDoubleRequest[]): Promise<Double>;
  /** Throws DOUBLE_NOT_FOUND. */
  end(id: string): Promise<Double>;
  list(): Promise<{ items: Double[]; next_cursor: null }>;
  /** Throws DOUBLE_NOT_FOUND. */
  get(id: string): Promise<Double>;
  /** The newest first. Throws DOUBLE_NOT_FOUND or INVALID_CURSOR. */
  requests(id: string, query: DoubleRequestQuery): Promise<Page<DoubleRequest>>;
}
