// A page of a list that is in memory: its cursor is the index at which the page begins.
import { ProctorError } from "../core/errors.ts";
import { DEFAULT_PAGE_LIMIT, type Page } from "../core/page.ts";

/** Throws INVALID_CURSOR for a place that the list does not have. */
export function slicePage<T>(
  items: readonly T[],
  { cursor = "0", limit = DEFAULT_PAGE_LIMIT }: { cursor?: string | undefined; limit?: number | undefined },
): Page<T> {
  const start = Number(/^\d{1,9}$/.exec(cursor)?.[0]);
  if (!(start <= items.length)) {
    throw new ProctorError("INVALID_CURSOR", "the cursor was not issued by this list");
  }
  const end = start + limit;
  return { items: items.slice(start, end), next_cursor: end < items.length ? String(end) : null };
}
