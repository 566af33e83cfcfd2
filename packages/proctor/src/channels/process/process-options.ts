// How a process is started.
import type { EnvironmentProcess, StartOptions } from "../../core/ports/environments.ts";

export interface ProcessOptions {
  /** The program and its arguments. */
  command: readonly string[];
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>;
  /** By this variable of it, processes that flee are found; PROCTOR_RUN_ID unless told otherwise. */
  markVariable?: string;
  cwd?: string;
  /** 10 MB unless told otherwise. */
  maxLineBytes?: number;
  /** How long a pipe that others hold open may be silent after the exit before it is given up; 250 ms. */
  exitGraceMs?: number;
  /** What starts it, if not this machine: `Environment.start`. There a program that cannot be started exits with 126 or 127. */
  spawn?: (options: StartOptions) => EnvironmentProcess;
}
