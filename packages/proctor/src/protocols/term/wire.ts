// The messages of document 002 as types: what is sent, and what an answer comes down to. The codec takes answers apart itself.
import type { JsonObject } from "../../core/json.ts";

/**
 * "Request Fields" without the instruction, which is the same for all steps. All are always there; the platform's extensions come
 * after them.
 */
export interface StepRequest {
  step: number;
  last_command: string | null;
  output: string | null;
  exit_code: number | null;
  cwd: string;
  /** True when the output was cut. This field and those below are extensions, each present only where it holds. */
  truncated?: true;
  /** Size of the whole output in bytes, where it was cut. */
  output_bytes?: number;
  timed_out?: true;
  /** How the shell ended, when a new one replaced it. */
  shell_restarted?: "exited" | "killed";
  /** Reason why the last answer could not be used. The step is the same. */
  error?: string;
  /** True when the agent said that it is done and is asked to confirm it. */
  confirm_completion?: true;
}

/** One answer of an agent, as the loop needs it. */
export interface TermAnswer {
  action: TermAction;
  complete: boolean;
  thought?: string;
  plan?: string;
  /** Unknown fields, which are kept. */
  rest?: JsonObject;
}

export type TermAction =
  | { kind: "none" }
  | { kind: "command"; command: string }
  | { kind: "keys"; keys: readonly Keystrokes[] };

/** Keystrokes to type, and the most seconds to wait for the screen after them. */
export interface Keystrokes {
  keystrokes: string;
  seconds: number;
}
