// A table with its head, which scrolls by itself where it is wider than its place.
import type { ComponentChildren } from "preact";

/** Head of a column: a text, a text with its classes, or a text that is only read aloud. */
export type Column = string | readonly [text: string, classes: string] | { hidden: string };

interface TableProps {
  /** Label that makes the table a region that can be reached and scrolled with keys. */
  label?: string;
  /** Classes of the table. */
  kind?: string;
  /** Whether the label is also read aloud as the caption of the table. */
  captioned?: boolean;
  columns: readonly Column[];
  children: ComponentChildren;
}

export function Table({ label, kind, captioned, columns, children }: TableProps) {
  const table = (
    <table class={kind}>
      {captioned && <caption class="hidden-text">{label}</caption>}
      <thead>
        <tr>{columns.map(head)}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  if (label === undefined) return <div class="wide-table">{table}</div>;
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      {table}
    </div>
  );
}

function head(column: Column, index: number) {
  const { text, classes, hidden } = spelledOut(column);
  return (
    <th key={index} scope="col" class={classes}>
      {hidden ? <span class="hidden-text">{text}</span> : text}
    </th>
  );
}

function spelledOut(column: Column): { text: string; classes?: string; hidden?: true } {
  if (typeof column === "string") return { text: column };
  return "hidden" in column ? { text: column.hidden, hidden: true } : { text: column[0], classes: column[1] };
}
