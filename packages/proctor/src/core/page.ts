// Paging by cursor, everywhere but where a protocol counts pages. A cursor is opaque to its holder and refused by a list that did not issue it.

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

export interface PageRequest {
  cursor?: string;
  limit?: number;
}

/** One page by its number, for protocols that count pages. */
export interface NumberedPage {
  /** Number of the page, from 1. */
  page: number;
  /** Items per page. */
  size: number;
}

export const DEFAULT_PAGE_LIMIT = 50;
export const MAX_PAGE_LIMIT = 1000;
