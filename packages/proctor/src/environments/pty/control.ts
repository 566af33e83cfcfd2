// The control messages between the hub and the program that holds a terminal, beside what is typed and shown: JSON, one object per line.

/** The first message of the hub. */
export interface PtyRequest {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  columns: number;
  rows: number;
}

/** Every message of the hub after the first one. */
export interface PtyResize {
  columns: number;
  rows: number;
}

/**
 * A message to the hub: first the pid of the process in the terminal, then its exit code; or why nothing could be started. In between, how many bytes
 * have been typed so far.
 */
export type PtyReport = { pid: number } | { typed: number } | { code: number } | { error: string };

/** Calls `take` with each line that is whole. */
export function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}
