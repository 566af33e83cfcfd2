// A table that fits the terminal: columns are as wide as their widest cell, and the flexible ones give way, widest
// first, when that is too much. In a pipe nothing is cut.
import { oneLine, padEnd, padStart, textWidth, truncate } from "./text.ts";

export interface Column<T> {
  title: string;
  cell(row: T): string;
  align?: "left" | "right";
  /** Columns that remain when the cell is cut. Absent for a cell that is never cut. */
  minWidth?: number;
  /** Colours the cell after alignment, so that colours never count as width. */
  paint?(text: string, row: T): string;
}

const GAP = "  ";

export function renderTable<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  options: { width?: number | undefined; paintTitle?: (text: string) => string } = {},
): string[] {
  const cells = rows.map((row) => columns.map((column) => oneLine(column.cell(row))));
  const widths = columns.map((column, index) =>
    Math.max(textWidth(column.title), ...cells.map((line) => textWidth(line[index] ?? ""))),
  );
  if (options.width !== undefined) shrink(widths, columns, options.width);
  const title = columns.map((column, index) => place(column, column.title, widths[index] ?? 0));
  const paintTitle = options.paintTitle ?? ((text: string) => text);
  const body = rows.map((row, line) =>
    columns
      .map((column, index) => {
        const text = place(column, cells[line]?.[index] ?? "", widths[index] ?? 0);
        return column.paint?.(text, row) ?? text;
      })
      .join(GAP)
      .trimEnd(),
  );
  return [paintTitle(title.join(GAP).trimEnd()), ...body];
}

function place<T>(column: Column<T>, text: string, width: number): string {
  const cut = truncate(text, width);
  return column.align === "right" ? padStart(cut, width) : padEnd(cut, width);
}

function shrink<T>(widths: number[], columns: readonly Column<T>[], available: number): void {
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1)) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [index, column] of columns.entries()) {
      const width = widths[index] ?? 0;
      if (column.minWidth === undefined || width <= column.minWidth) continue;
      if (widest === -1 || width > (widths[widest] ?? 0)) widest = index;
    }
    if (widest === -1) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
}
