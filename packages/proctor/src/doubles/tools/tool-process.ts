// The program of an MCP server, as it is given to us: who starts programs, where, and how they die, is decided elsewhere.
import type { ToolEnvironment } from "../../core/tools.ts";

export interface StartOptions {
  command: readonly string[];
  /** Variables that are added to the few that every program gets; nothing else may be inherited. */
  env: Record<string, string>;
  cwd?: string;
}

export type StartProcess = (options: StartOptions) => ToolProcess;

/** The part of a process channel that is used here. Yields what each read held; the last item is the exit. */
export interface ToolProcess extends AsyncIterable<readonly ProcessReport[]> {
  /** False when the process no longer reads. */
  write(data: string): Promise<boolean>;
  endInput(): void;
  /** Kills the whole group and resolves when nothing of it is left. */
  kill(): Promise<void>;
}

/** An environment for the program of one server. */
interface ToolPlace {
  startProcess: StartProcess;
  /** Ends the processes that are left, and closes the place. */
  close(): Promise<void>;
}

/** Opens an environment for a tool. Throws ENVIRONMENT_UNAVAILABLE when there is no such environment. */
export type OpenToolPlace = (request: ToolPlaceRequest) => Promise<ToolPlace>;

export interface ToolPlaceRequest {
  /** Id of letters, digits and `-`, unique while the place is open. */
  id: string;
  environment: ToolEnvironment;
  command: readonly string[];
  cwd?: string;
  signal: AbortSignal;
}

export interface ProcessReport {
  kind: string;
  stream?: string;
  text?: string;
  code?: number | null;
  signal?: string | null;
  message?: string;
}
