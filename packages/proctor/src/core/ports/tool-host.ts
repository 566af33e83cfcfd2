// Serves the tools of runs over HTTP, each run at an address that cannot be guessed.
import type { ObservedCall, ToolSet } from "../tools.ts";

export interface ToolHost {
  open(session: ToolSession): Promise<ToolEndpoint>;
}

export interface ToolSession {
  runId: string;
  /** The run's trace, which its calls of real tools belong to. */
  traceId: string;
  tools: ToolSet;
  /** Names of the tools that the agent may call; null for all. */
  allowed: readonly string[] | null;
  /** Hides the run's secrets in what is written to a recording. */
  redact: (text: string) => string;
  /** Called with every call, even a refused one. The answer waits for it: what was acknowledged is recorded. */
  onCall: (call: ObservedCall) => Promise<void>;
}

export interface ToolEndpoint {
  /** The address for `context.tools_endpoint`. */
  url: string;
  /** Names of the tools that are served, after `allowed`. */
  names: readonly string[];
  /** Closes the tools and cuts calls in flight; later calls find nothing. */
  close(): Promise<void>;
}
