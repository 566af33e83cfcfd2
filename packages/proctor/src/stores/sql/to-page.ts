// A page of a list, made of the rows that were read for it.
import type { Page } from "../../core/page.ts";

/** `rows` holds one more than the page where there is a next page; `cursorOf` says where the page ended. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  size: number,
  decode: (row: Row) => Item,
  cursorOf: (last: Row) => string,
): Page<Item> {
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    items: rows.slice(0, size).map((row) => decode(row)),
    next_cursor: last === undefined ? null : cursorOf(last),
  };
}
