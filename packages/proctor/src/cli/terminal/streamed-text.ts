// A text that grows: the rows that no longer change, and the one that still does. Only that one is kept.
import { breakLines, manyLines } from "./text.ts";

export interface StreamedText {
  /** Takes the next piece, and returns the rows that are finished with it. */
  add(piece: string, columns: number): string[];
  /** The row that may still grow. */
  readonly row: string;
  /** Finishes the row; undefined when it is empty. */
  end(): string | undefined;
}

export function createStreamedText(): StreamedText {
  let open = "";
  return {
    add(piece, columns) {
      const rows = manyLines(open + piece)
        .split("\n")
        .flatMap((line) => breakLines(line, columns));
      // The row keeps the blanks at its end: the next word needs them.
      open = rows.pop() ?? "";
      return rows.map((row) => row.trimEnd());
    },
    get row() {
      return open.trimEnd();
    },
    end() {
      const last = open.trimEnd();
      open = "";
      return last === "" ? undefined : last;
    },
  };
}
