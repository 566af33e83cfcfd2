// How a process is started.
import type { EnvironmentProcess, StartOptions } from "../../core/ports/environments.ts";

export interface ProcessOptions {
  /** The program and its arguments. */
  command: readonly string[];
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  /** The variable of `env` by which processes that flee are found; PROCTOR_RUN_ID by default. */
  markVariable?: string;
  cwd?: string;
  /** Bytes after which a line is cut; 10 MB by default. */
  maxLineBytes?: number;
  /** True to report stdout as it comes, not line by line: each piece is a line that is not terminated, with its breaks inside. */
  pieces?: boolean;
  /** Milliseconds that a pipe which others hold open may be silent after the exit before it is closed; 250 by default. */
  exitGraceMs?: number;
  /** Starts the program in an environment (`Environment.start`), where one that cannot be started exits with 126 or 127. */
  spawn?: (options: StartOptions) => EnvironmentProcess;
}
