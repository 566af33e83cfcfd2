// Something wrong in a file of ours, with its place, and how a list of them reads.
import type { ErrorCode } from "../core/errors.ts";
import { ProctorError } from "../core/errors.ts";
import { printable } from "./printable.ts";

export interface Position {
  line: number;
  col: number;
}

/** An alias, not an interface: so it counts as JSON. */
export type Problem = {
  file: string;
  line: number;
  col: number;
  message: string;
  /** What to do next. */
  hint?: string;
};

/** A ruined file can have thousands of problems; nobody reads more than these. */
const SHOWN = 50;

export function renderProblem({ file, line, col, message, hint }: Problem): string {
  const first = `${file}:${line}:${col}  ${message}`;
  return printable(hint === undefined ? first : `${first}\n   ${hint}`);
}

/** One error for all problems of a file, in the order in which they stand in it. */
export function problemsError(code: ErrorCode, problems: readonly Problem[]): ProctorError {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.col - b.col);
  const shown = sorted.slice(0, SHOWN);
  const lines = shown.map(renderProblem);
  if (sorted.length > SHOWN) lines.push(`… and ${sorted.length - SHOWN} more`);
  return new ProctorError(code, lines.join("\n"), { details: shown });
}
