// Runs a program to its end and gives back what it wrote: for checks that ask a compiler, a linter or a test runner.

export interface CommandRequest {
  /** The program and its arguments; no shell is involved. */
  command: readonly string[];
  cwd: string;
  /** Variables on top of a few harmless ones; nothing of Proctor's own environment is inherited. */
  env?: Readonly<Record<string, string>>;
  input?: string;
  timeoutMs: number;
  /** Bytes of each stream that are kept; the rest is read and dropped. 1 MB when absent. */
  maxOutputBytes?: number;
}

export interface CommandResult {
  /** The exit code; null when a signal ended the program. */
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** True when some of the output was dropped. */
  truncated: boolean;
  timedOut: boolean;
  durationMs: number;
}

/** Throws when the program cannot be started. At the time limit, and when the signal fires, everything it started dies. */
export type RunCommand = (request: CommandRequest, signal: AbortSignal) => Promise<CommandResult>;
