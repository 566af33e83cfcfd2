// What the surfaces of the transports share.
import type { Executions } from "./execution.ts";

export interface AtpSurfaceOptions {
  executions: Executions;
  /** Aborts when the hub stops; clients that wait get an answer then. */
  stopping: AbortSignal;
  /** Milliseconds of silence after which a stream sends a comment. */
  keepAliveMs: number;
  /** Called with a problem of the hub itself that no client can see any more. */
  report: (problem: unknown, runId: string) => void;
}
