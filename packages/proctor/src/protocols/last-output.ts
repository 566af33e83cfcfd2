// How a program's end is told in a failure: its exit, and the beginning of what it printed.

export interface ProgramExit {
  code: number | null;
  signal: string | null;
}

export function describeExit({ code, signal }: ProgramExit): string {
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
}

const MAX_PRINTED_LINES = 3;
const MAX_PRINTED_CHARS = 2000;

/** Returns the first lines, only whole ones, as in tail.ts. */
export function firstLines(lines: readonly string[]): string {
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines.slice(0, MAX_PRINTED_LINES)) {
    chars += line.length;
    if (chars > MAX_PRINTED_CHARS) break;
    kept.push(line);
  }
  return kept.join("\n");
}
