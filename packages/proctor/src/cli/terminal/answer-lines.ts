// What an agent said, under the summary of its run: the beginning of each answer, and the command that prints the rest.
import { quoteWord } from "../../core/command-line.ts";
import { formatBytes, formatCount } from "./amounts.ts";
import type { Paint } from "./paint.ts";
import { manyLines, oneLine, wrap } from "./text.ts";

export interface Answer {
  name: string;
  sizeBytes?: number;
  /** Text of the answer. Absent when it is too large, or not text. */
  text?: string;
}

const MAX_LINES = 20;
const INDENT = "  ";

export function renderAnswers(
  runId: string,
  answers: readonly Answer[],
  paint: Paint,
  width?: number,
): string[] {
  return answers.flatMap((answer) => ["", ...renderAnswer(runId, answer, paint, width)]);
}

function renderAnswer(
  runId: string,
  { name, sizeBytes, text }: Answer,
  paint: Paint,
  width?: number,
): string[] {
  const title = paint.bold(oneLine(name));
  const command = `proctor runs artifact ${runId} ${quoteWord(oneLine(name))}`;
  if (text === undefined) {
    const size = sizeBytes === undefined ? "" : `${formatBytes(sizeBytes)}, `;
    return [title, `${INDENT}${paint.dim(`${size}not shown: ${command}`)}`];
  }
  const room = (width ?? Infinity) - INDENT.length;
  const lines = manyLines(text.toWellFormed()).replace(/\n+$/, "").split("\n");
  const wrapped = lines.slice(0, MAX_LINES + 1).flatMap((line) => (line === "" ? [""] : wrap(line, room)));
  const shown = wrapped.slice(0, MAX_LINES).map((line) => `${INDENT}${line}`.trimEnd());
  if (wrapped.length <= MAX_LINES) return [title, ...shown];
  const left = lines.length - MAX_LINES;
  const more = left > 0 ? `… ${formatCount(left)} more lines` : "… and more";
  return [title, ...shown, `${INDENT}${paint.dim(`${more}: ${command}`)}`];
}
