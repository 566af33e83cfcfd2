// Runs a program to its end and gives back what it wrote: for checks that ask a compiler, a linter or a test runner.

export interface CommandRequest {
  /** The program and its arguments; no shell. */
  command: readonly string[];
  cwd: string;
  /** On top of a few harmless variables; nothing of ours is inherited. */
  env?: Readonly<Record<string, string>>;
  input?: string;
  timeoutMs: number;
  /** Bytes kept of each stream; what exceeds them is read and dropped. 1 MB when absent. */
  maxOutputBytes?: number;
}

export interface CommandResult {
  /** The exit code; null when a signal ended the program. */
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Some of the output was dropped. */
  truncated: boolean;
  timedOut: boolean;
  durationMs: number;
}

/** Throws when the program cannot be started. At the time limit, and when the signal fires, everything it started dies. */
export type RunCommand = (request: CommandRequest, signal: AbortSignal) => Promise<CommandResult>;
