// What the reports of all mocks have in common: how they say that they are served, and the lines that programs read.
import { field } from "../../terminal/run-summary.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine } from "../../terminal/text.ts";

/** Columns of a line in a pipe, which gets much, but no megabyte on one line: `--json` has everything. */
export const PIPE_COLUMNS = 1000;

interface Served {
  title: string;
  /** What the mock prints one line for, from now on. */
  each: "call" | "task" | "request" | "delivery";
  fields: readonly (readonly [name: string, lines: readonly string[]])[];
}

export function printServed(screen: Screen, { title, each, fields }: Served): void {
  const { paint } = screen;
  screen.print(
    `${paint.green("●")} ${paint.bold(oneLine(title))} is served`,
    "",
    ...fields.flatMap(([name, lines]) => field(name, lines, paint)),
    "",
    paint.dim(`Every ${each} is shown here. Ctrl-C stops it.`),
    "",
  );
}

/** Prints the document on one line whatever the terminal: a program reads it. */
export function printDocument(screen: Screen, document: object): void {
  screen.print(JSON.stringify(document));
}

/** Returns the time of day of a call. */
export function clockTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}
