// Standard output as commands write to it: coloured lines of the right width for people, one document for programs.
import type { Json } from "../../core/json.ts";
import type { CliIo, CliOutput } from "../cli-io.ts";
import { createPaint, type Paint } from "./paint.ts";

export interface Screen {
  paint: Paint;
  /** Columns of the terminal. Undefined in a pipe, where nothing is cut. */
  readonly width: number | undefined;
  print(...lines: string[]): void;
  /** Prints JSON, indented on a terminal and on one line in a pipe. */
  printJson(document: object | Json): void;
}

const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 40;

export function createScreen(io: CliIo, output: CliOutput = io.stdout): Screen {
  return {
    paint: createPaint(output, io.env),
    get width() {
      return output.isTTY === true ? Math.max(MIN_COLUMNS, output.columns ?? DEFAULT_COLUMNS) : undefined;
    },
    print(...lines) {
      if (lines.length > 0) output.write(`${lines.join("\n")}\n`);
    },
    printJson(document) {
      output.write(`${JSON.stringify(document, null, output.isTTY === true ? 2 : undefined)}\n`);
    },
  };
}
