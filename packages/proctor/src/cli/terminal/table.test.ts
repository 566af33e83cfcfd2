import { expect, test } from "vitest";
import { renderTable, type Column } from "./table.ts";

interface Row {
  name: string;
  note: string;
  size: string;
}

const COLUMNS: Column<Row>[] = [
  { title: "NAME", cell: (row) => row.name },
  { title: "NOTE", cell: (row) => row.note, minWidth: 6 },
  { title: "SIZE", cell: (row) => row.size, align: "right" },
];
const ROWS: Row[] = [
  { name: "a", note: "a rather long note that gives way", size: "1" },
  { name: "日本", note: "two\nlines \u001b[31m", size: "1000" },
];

test("a table aligns columns by what they show, and cuts nothing in a pipe", () => {
  expect(renderTable(COLUMNS, ROWS)).toEqual([
    "NAME  NOTE                               SIZE",
    "a     a rather long note that gives way     1",
    "日本  two⏎ lines \\x1b[31m                1000",
  ]);
});

test("a table cuts flexible columns, and only those, to fit the terminal", () => {
  expect(renderTable(COLUMNS, ROWS, { width: 24 })).toEqual([
    "NAME  NOTE          SIZE",
    "a     a rather lo…     1",
    "日本  two⏎ lines …  1000",
  ]);
  expect(renderTable(COLUMNS, ROWS, { width: 5 })[1]).toBe("a     a rat…     1");
});

test("a table paints after aligning, so colours never shift a column", () => {
  const painted = COLUMNS.map((column) =>
    Object.assign({}, column, { paint: (text: string) => `<${text}>` }),
  );

  expect(renderTable(painted, ROWS.slice(0, 1), { width: 20, paintTitle: (text) => `*${text}*` })).toEqual([
    "*NAME  NOTE      SIZE*",
    "<a   >  <a rathe…>  <   1>",
  ]);
});
