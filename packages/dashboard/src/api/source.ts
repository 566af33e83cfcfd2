// Where documents come from: a hub over HTTP, or a file that holds them. Pages ask through hub.ts and do not know which; the source is set once,
// before the first page is drawn.
import type { Query } from "./address.ts";

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** Body that is not JSON. */
  bytes?: Blob | FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface Source {
  /** Answers a request of the public API. Throws ApiError for a refusal. */
  send(method: string, path: string, options: RequestOptions): Promise<Response>;
  /** Whether it is a hub: it takes orders, has other pages, and sends what changes. A file has only what was written into it. */
  isHub: boolean;
}

let current: Source | undefined;

export function setSource(source: Source): void {
  current = source;
}

export function source(): Source {
  if (current === undefined) throw new Error("nobody said where documents come from");
  return current;
}
