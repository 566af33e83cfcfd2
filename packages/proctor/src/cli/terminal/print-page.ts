// A page of a list, as every command that lists something shows it: a table and how to go on, or one document for programs.
import type { Page } from "../../core/page.ts";
import type { Screen } from "./screen.ts";
import { renderTable, type Column } from "./table.ts";

export interface PageView<Item> {
  /** Prints the page as it is. */
  json?: boolean | undefined;
  /** Lines that are shown when the list is empty. */
  none: readonly string[];
  columns: readonly Column<Item>[];
  /** The command that shows the next page when it is given its cursor. */
  command: string;
  /** A line that says what can be done with an item. */
  next?: string;
}

export function printPage<Item>(
  screen: Screen,
  page: Page<Item>,
  { json, none, columns, command, next }: PageView<Item>,
): void {
  const { items, next_cursor: cursor } = page;
  if (json === true) return screen.printJson(page);
  if (items.length === 0) return screen.print(...none);
  const { paint, width } = screen;
  screen.print(...renderTable(columns, items, { width, paintTitle: paint.dim }));
  const more = cursor === null ? [] : [`more: ${command} --cursor ${cursor}`];
  const hints = [...(next === undefined ? [] : [next]), ...more];
  if (hints.length > 0) screen.print("", ...hints.map(paint.dim));
}
