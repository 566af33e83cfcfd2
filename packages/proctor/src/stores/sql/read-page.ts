// A page of a list: from where the page before it ended, one row further than it shows.
import type { Page } from "../../core/page.ts";
import { pageLimit, type CursorKind } from "./cursor.ts";

interface PageReader<Row, Item, Key extends string | number> {
  cursors: CursorKind<Key>;
  /** Reads rows. `after` is the key at which the page before ended; undefined for the first page. */
  rows: (after: Key | undefined, limit: number) => readonly Row[] | Promise<readonly Row[]>;
  decode: (row: Row) => Item | Promise<Item>;
  /** Returns the key at which a page ends that has this row as its last. */
  keyOf: (row: Row) => Key;
  /** Items per page; what the request asks for, within the bounds of all lists, when absent. */
  size?: number;
}

export async function readPage<Row, Item, Key extends string | number>(
  { cursor, limit }: { cursor?: string | undefined; limit?: number | undefined },
  { cursors, rows, decode, keyOf, size = pageLimit(limit) }: PageReader<Row, Item, Key>,
): Promise<Page<Item>> {
  const found = await rows(cursor === undefined ? undefined : cursors.decode(cursor), size + 1);
  const last = found.length > size ? found[size - 1] : undefined;
  const items: Item[] = [];
  for (const row of found.slice(0, size)) items.push(await decode(row));
  return { items, next_cursor: last === undefined ? null : cursors.encode(keyOf(last)) };
}
