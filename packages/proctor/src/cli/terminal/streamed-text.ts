// A text that grows: the rows that no longer change, and the one that still does. Only that one is kept.
import { manyLines, wrap } from "./text.ts";

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
      const lines = manyLines(open + piece).split("\n");
      const rows = lines.flatMap((line) => (line === "" ? [""] : wrap(line, columns)));
      const last = rows.pop() ?? "";
      const line = lines.at(-1) ?? "";
      // Blanks at the end were left out where the line could be broken, but the next word needs them; a row of nothing but blanks has them.
      const blanks = / *$/.exec(line)?.[0] ?? "";
      open = last.trim() === "" && line.trim() !== "" ? last : `${last.trimEnd()}${blanks}`;
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
