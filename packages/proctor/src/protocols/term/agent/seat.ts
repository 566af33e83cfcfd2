// What the loop talks to: asked one thing at a time, heard line by line, and gone in the end. Behind it is a program, a built-in
// agent or a recording.
import type { JsonObject } from "../../../core/json.ts";
import type { AgentExit } from "../errors.ts";

export type Heard =
  | { kind: "line"; text: string }
  /** A line over the limit; its beginning is in the log. */
  | { kind: "overlong" }
  | { kind: "not-started"; message: string; reason: string }
  /** The agent exited, or closed its output and was ended. */
  | { kind: "gone" }
  | { kind: "late" }
  /** The platform stopped the agent. */
  | { kind: "stopped" };

export interface Seat {
  /** Sends one line and waits for the next, at most as long as an answer may take. */
  ask(line: string): Promise<Heard>;
  pause(): void;
  resume(): void;
  /** Asks the agent to end, and stops waiting for its answer. */
  stop(): void;
  /** Kills the agent. */
  kill(): void;
  /** Lets an agent that is finished exit, and kills it after a grace period. Resolves when nothing of it is left. */
  leave(how: "done" | "failed"): Promise<void>;
  /** How the agent exited; undefined until it has. */
  readonly exit: AgentExit | undefined;
  /** True when the agent closed its output without exiting. */
  readonly muted: boolean;
  /** Returns the last lines of stderr, for the details of a failure. */
  lastWords(): JsonObject;
}
