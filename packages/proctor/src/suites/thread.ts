// A conversation as reports show it: turn by turn, who said what, what was asked and how it was answered. Cut to a size that a report
// can hold.
import type { JsonObject } from "../core/json.ts";
import type { RunStatus } from "../core/run.ts";
import type { Outcome } from "./verdict.ts";

/** Why no further turn was played. */
export type ThreadEnd =
  /** Every turn of the script was played. */
  | "script"
  | "goal_reached"
  /** The agent said the text of `stop.when`. */
  | "text"
  | "max_turns"
  /** A run did not complete. */
  | "run"
  /** The agent asked something that the script has no answer for, or asked without end. */
  | "question"
  /** The conversation used up its time, steps, tokens or money. */
  | "limit"
  /** The user's side failed, not the agent. */
  | "simulator"
  /** The agent's protocol cannot go on with a conversation. */
  | "not_supported";

/** A conversation; reports contain this document unchanged. */
export type Thread = {
  conversation_id: string;
  turns: ThreadTurn[];
  ended: ThreadEnd;
  /** What the simulated user used; absent where a script of turns spoke. */
  simulator?: { calls: number; input_tokens: number; output_tokens: number };
};

export type ThreadTurn = {
  /** The number of the turn, from 1. */
  turn: number;
  run_id: string;
  status: RunStatus;
  /** What the checks of this turn come to; null where it has none. */
  outcome: Outcome | null;
  lines: ThreadLine[];
  /** The number of lines that were left out because there were too many. */
  lines_left_out: number;
};

/** One thing that was said, asked or answered. */
export type ThreadLine = JsonObject & {
  who: "user" | "agent";
  what: "says" | "asks" | "answers" | "declines" | "withdraws";
  text: string;
  /** The kind of the question, where something is asked. */
  kind?: string;
  /** Whether there is more of the text than is shown. */
  cut?: boolean;
};
