// What came of one step in the terminal.
import type { OutputFile } from "../../../core/ports/environments.ts";

export interface StepResult {
  /** The output as the agent sees it. */
  output: string;
  /** Exit code; null where nothing proves one: keystrokes that brought back no prompt. */
  exitCode: number | null;
  cwd: string;
  durationMs: number;
  /** True when some of the output is not in `output`. */
  truncated: boolean;
  /** Size of the whole output, in bytes. */
  outputBytes: number;
  timedOut: boolean;
  restarted?: "exited" | "killed";
  /** The whole output, where it was cut. The reader removes it. */
  whole?: OutputFile;
}

/** Executes an agent's commands and keystrokes, one at a time. */
export interface StepTerminal {
  readonly cwd: string;
  /** Opens what the first command needs, so that it need not wait. */
  warmUp(): void;
  /** Rejects when the terminal is broken, or when the signal aborts. */
  run(action: TypedAction, signal: AbortSignal): Promise<StepResult>;
}

export type TypedAction =
  | { kind: "command"; command: string }
  | { kind: "keys"; keys: readonly { keystrokes: string; seconds: number }[] };

/** Returns a note for the output itself, because agents read that. */
export function restartNote(how: "exited" | "killed", cwd: string): string {
  const what = how === "exited" ? "the shell exited" : "the shell had to be killed";
  return `[proctor] ${what}; a new one was started in ${cwd}, without the variables, functions and jobs of the old one`;
}
