// Lists of the hub, one page at a time and as one sequence.
import { badAnswer } from "./hub-error.ts";
import type { CallOptions, Connection } from "./connection.ts";
import type { Page, Pagination } from "./documents.ts";

export interface ListOptions extends CallOptions {
  /** 1 to 200; 100 unless given. */
  pageSize?: number;
}

export interface PageOptions extends ListOptions {
  /** From 1. */
  page?: number;
}

export interface Listing<T> {
  connection: Connection;
  path: string;
  /** Where the list is in the answer. */
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
  // The form of a hub's documents is its contract.
  return { items: items as T[], pagination: pagination as Pagination };
}

/**
 * All items. Tasks are listed newest first: one that is created meanwhile moves the others on, so what was on the page before is not
 * told again. One that is deleted meanwhile moves them back, and may hide another.
 */
export async function* readAll<T>(listing: Listing<T>, options: ListOptions = {}): AsyncGenerator<T, void> {
  let told = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { items, pagination } = await readPage(listing, { ...options, page });
    for (const item of items) if (!told.has(listing.idOf(item))) yield item;
    if (items.length === 0 || page >= pagination.totalPages) return;
    told = new Set(items.map(listing.idOf));
  }
}
