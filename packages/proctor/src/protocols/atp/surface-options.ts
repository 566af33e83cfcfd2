// What the surfaces of the transports share.
import type { Executions } from "./execution.ts";

export interface AtpSurfaceOptions {
  executions: Executions;
  /** Aborted when the hub stops; clients that wait are told so. */
  stopping: AbortSignal;
  /** How long a stream may be silent before a comment is sent, in milliseconds. */
  keepAliveMs: number;
  /** Called with a problem of the hub itself that no client can be told any more. */
  report: (problem: unknown, runId: string) => void;
}
