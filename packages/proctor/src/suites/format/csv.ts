// Reads CSV as RFC 4180 has it, piece by piece: quotes, line breaks in cells, both kinds of line ends.

export interface CsvRecord {
  cells: string[];
  /** The line it begins on, from 1. */
  line: number;
}

interface CsvReader {
  /** Returns the records that this piece completes. Throws CsvError. */
  push(text: string): CsvRecord[];
  end(): CsvRecord[];
}

export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The reader is between cells, inside a plain cell, inside quotes, or after a quote that may have closed them. */
type State = "start" | "plain" | "quoted" | "closing";

export function createCsvReader(): CsvReader {
  let state: State = "start";
  let cell = "";
  let cells: string[] = [];
  let line = 1;
  let record = { line: 1, quote: 1 };
  let afterReturn = false;
  let done: CsvRecord[] = [];

  function endCell(): void {
    cells.push(cell);
    cell = "";
    state = "start";
  }

  function endRecord(): void {
    // A blank line is no record.
    const isBlank = cells.length === 0 && cell === "" && state === "start";
    if (!isBlank) {
      endCell();
      done.push({ cells, line: record.line });
    }
    cells = [];
  }

  function step(char: string): void {
    if (state === "quoted") {
      if (char === '"') state = "closing";
      else cell += char;
    } else if (char === '"' && state === "closing") {
      cell += char;
      state = "quoted";
    } else if (char === '"') {
      if (state === "plain")
        throw new CsvError(line, "a quote stands inside a cell that does not begin with one");
      state = "quoted";
      record.quote = line;
    } else if (char === ",") endCell();
    else if (char === "\n") endRecord();
    else if (state === "closing") throw new CsvError(line, "text follows the quote that closes a cell");
    else {
      cell += char;
      state = "plain";
    }
  }

  return {
    push(text) {
      for (const char of split(text)) {
        // CRLF counts as one line end, and so does a lone CR.
        const isBreak = char === "\n" || char === "\r";
        if (char === "\n" && afterReturn && state !== "quoted") {
          afterReturn = false;
          continue;
        }
        if (isBreak && !(char === "\n" && afterReturn)) line += 1;
        afterReturn = char === "\r";
        step(char === "\r" && state !== "quoted" ? "\n" : char);
        if (isBreak && state === "start" && cells.length === 0) record = { line, quote: line };
      }
      const complete = done;
      done = [];
      return complete;
    },
    end() {
      if (state === "quoted") throw new CsvError(record.quote, "a quote that opens a cell is never closed");
      endRecord();
      return done;
    },
  };
}

/** Splits off each character that means something; the text between them stays whole. */
function split(text: string): string[] {
  return text.match(/[",\r\n]|[^",\r\n]+/g) ?? [];
}
