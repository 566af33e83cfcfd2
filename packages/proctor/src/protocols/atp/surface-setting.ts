// What the surfaces of the four transports share.
import type { Executions } from "./execution.ts";

export interface AtpSurfaceOptions {
  executions: Executions;
  /** Aborted when the hub stops: whoever waits is told so. */
  stopping: AbortSignal;
  keepAliveMs: number;
  /** A trouble of the hub itself that no client can be told any more. */
  report: (problem: unknown, runId: string) => void;
}
