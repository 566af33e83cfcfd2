// How a process is started.

export interface ProcessOptions {
  /** The program and its arguments. */
  command: readonly string[];
  /** The whole environment: nothing is inherited. By PROCTOR_RUN_ID in it, processes that flee are found. */
  env: Record<string, string>;
  cwd?: string;
  /** 10 MB unless told otherwise. */
  maxLineBytes?: number;
  /** How long a pipe that others hold open may be silent after the exit before it is given up; 250 ms. */
  exitGraceMs?: number;
}
