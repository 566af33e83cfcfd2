// A problem in one of Proctor's own files, with its place, and how a list of them reads.
import type { ErrorCode } from "../../core/errors.ts";
import { ProctorError } from "../../core/errors.ts";
import { printable } from "../../core/printable.ts";

export interface Position {
  line: number;
  col: number;
}

/** One problem. A type alias, because an interface does not count as JSON. */
export type Problem = {
  file: string;
  line: number;
  col: number;
  /** Path in the object that a module exports, which has no lines to point at. */
  path?: string;
  message: string;
  /** What to do next. */
  hint?: string;
};

/** Most problems that are shown: a ruined file can have thousands. */
const SHOWN = 50;

function renderProblem({ file, line, col, path, message, hint }: Problem): string {
  const first = `${renderPlace({ file, line, col, ...(path !== undefined && { path }) })}  ${message}`;
  return printable(hint === undefined ? first : `${first}\n   ${hint}`);
}

/** Returns `suite.yaml:3:5`, or `suite.mjs  tests[0].id:` where there are no lines. */
export function renderPlace({ file, line, col, path }: Position & { file: string; path?: string }): string {
  if (path === undefined) return `${file}:${line}:${col}`;
  return path === "" ? file : `${file}  ${path}:`;
}

/** Returns one error for all problems, file by file, in the order of their places. */
export function problemsError(code: ErrorCode, problems: readonly Problem[]): ProctorError {
  const files = [...new Set(problems.map(({ file }) => file))];
  const order = new Map(files.map((file, index) => [file, index]));
  const sorted = [...problems].sort(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.col - b.col,
  );
  const shown = sorted.slice(0, SHOWN);
  const lines = shown.map(renderProblem);
  if (sorted.length > SHOWN) lines.push(`… and ${sorted.length - SHOWN} more`);
  return new ProctorError(code, lines.join("\n"), { details: shown });
}
