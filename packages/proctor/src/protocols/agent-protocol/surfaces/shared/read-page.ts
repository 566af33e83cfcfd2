// Pages by number, as both task APIs count them: which page is asked for, and the part of a list that is on it.
import type { NumberedPage } from "../../../../core/ports/hub.ts";
import { wrongField } from "./read-fields.ts";

export const MAX_PAGE_SIZE = 200;
/** Largest page number: beyond any list, and small enough to stay exact. */
export const MAX_PAGE = 1_000_000_000;

interface PageNames {
  /** Query parameters that may name the page; the first that is present counts. */
  page: readonly string[];
  size: readonly string[];
  defaultSize: number;
}

/** Throws INVALID_REQUEST for anything but whole numbers in range. */
export function readPage(query: URLSearchParams, names: PageNames): NumberedPage {
  return {
    page: readNumber(query, names.page, 1, MAX_PAGE),
    size: readNumber(query, names.size, names.defaultSize, MAX_PAGE_SIZE),
  };
}

/** Returns the items on a page; none past the end. */
export function onPage<T>(items: readonly T[], { page, size }: NumberedPage): T[] {
  return items.slice((page - 1) * size, page * size);
}

export function pagesFor(total: number, size: number): number {
  return Math.ceil(total / size);
}

function readNumber(query: URLSearchParams, names: readonly string[], fallback: number, max: number): number {
  const name = names.find((candidate) => query.has(candidate));
  if (name === undefined) return fallback;
  const text = query.get(name) ?? "";
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw wrongField(name, `must be a whole number from 1 to ${max}`);
}
