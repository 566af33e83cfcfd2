// Lists of the hub, either one page at a time or as one sequence.
import { badAnswer } from "./hub-error.ts";
import type { CallOptions, Connection } from "./connection.ts";
import type { Page, Pagination } from "./documents.ts";

export interface ListOptions extends CallOptions {
  /** Items per page, from 1 to 200; 100 by default. */
  pageSize?: number;
}

export interface PageOptions extends ListOptions {
  /** Number of the page; the first one is 1. */
  page?: number;
}

export interface Listing<T> {
  connection: Connection;
  path: string;
  /** Name of the field of the answer that holds the list. */
  name: string;
  idOf: (item: T) => string;
}

const PAGE_SIZE = 100;

export async function readPage<T>(listing: Listing<T>, options: PageOptions = {}): Promise<Page<T>> {
  const { page = 1, pageSize = PAGE_SIZE, signal } = options;
  const { connection, path, name } = listing;
  const place = `${path}?page=${page}&pageSize=${pageSize}`;
  const body = await connection.json<Record<string, unknown>>(place, { signal });
  const { [name]: items, pagination } = body;
  if (!Array.isArray(items) || typeof pagination !== "object" || pagination === null)
    throw badAnswer(Response.json(body), `the answer has no ${name}`);
  // The hub's API contract guarantees the shape of its documents.
  return { items: items as T[], pagination: pagination as Pagination };
}

/**
 * Yields all items. Tasks are listed newest first, so one that is created meanwhile pushes others to the next page: items that the
 * previous page held are not yielded again. One that is deleted meanwhile pulls others back, and an item may be missed.
 */
export async function* readAll<T>(listing: Listing<T>, options: ListOptions = {}): AsyncGenerator<T, void> {
  let previousIds = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { items, pagination } = await readPage(listing, { ...options, page });
    for (const item of items) if (!previousIds.has(listing.idOf(item))) yield item;
    if (items.length === 0 || page >= pagination.totalPages) return;
    previousIds = new Set(items.map(listing.idOf));
  }
}
