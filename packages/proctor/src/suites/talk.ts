// How a test talks to its agent: a scripted list of turns, or a simulated user. Each turn is a run of one conversation.
import type { Json } from "../core/json.ts";
import type { LlmScript } from "../core/llm-script.ts";
import type { Place, SuiteCheck } from "./suite.ts";

/** One turn of a script: what is said, how the agent's questions are answered, and what must hold at its end. */
export interface ScriptedTurn extends Place {
  /** What the user says. */
  say: string;
  /** The answers to the questions that the agent asks in this turn, in order. */
  answers: ScriptedReply[];
  checks: SuiteCheck[];
}

/** An answer as it is written, with its place. */
export type ScriptedReply = Place & ({ kind: "given"; answer: Json } | { kind: "declined" });

/** A user that a language model plays. */
export interface SimulatedUser extends Place {
  persona?: string;
  /** What the user wants; the user never says it in these words. */
  goal: string;
  /** What the user knows and may reveal, by name. */
  facts: Record<string, string>;
  /** The number of runs at most. */
  maxTurns: number;
  /** A text of the agent that ends the conversation; absent where only the goal does. */
  stopText?: string;
  /** The model that plays it; the judge's when absent. */
  model?: string;
  /** A script that plays it instead of a model. */
  script?: LlmScript;
  /** Whether the user says the first word; otherwise that is the test's task. */
  opens: boolean;
}
