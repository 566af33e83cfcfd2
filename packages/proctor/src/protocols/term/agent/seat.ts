// Where an agent sits: asked one thing at a time, heard line by line, and gone in the end. A program, a built-in agent or a
// recording.
import type { JsonObject } from "../../../core/json.ts";
import type { AgentExit } from "../errors.ts";

export type Heard =
  | { kind: "line"; text: string }
  /** A line over the limit; what there is of it is in the log. */
  | { kind: "overlong" }
  | { kind: "not-started"; message: string; reason: string }
  /** It exited, or closed its output and was ended. */
  | { kind: "gone" }
  | { kind: "late" }
  /** The platform stopped it. */
  | { kind: "stopped" };

export interface Seat {
  /** Sends one line and waits for the next, at most as long as an answer may take. */
  ask(line: string): Promise<Heard>;
  pause(): void;
  resume(): void;
  /** Asks it to end: the wait for its answer is over. */
  stop(): void;
  /** Ends it now. */
  kill(): void;
  /** It has nothing more to say: lets it exit, insists after a while. Resolves when nothing of it is left. */
  leave(how: "done" | "failed"): Promise<void>;
  /** After its end. */
  readonly exit: AgentExit | undefined;
  /** It closed its output and did not exit. */
  readonly muted: boolean;
  /** Its last words on stderr, for the failure that tells of its end. */
  lastWords(): JsonObject;
}
