// The messages of document 002 as schemas: as the document prints them, and as agents may send them.
import { z } from "zod";
import type { JsonObject } from "../../core/json.ts";

/** "Request Fields". All six are always there; the platform's extensions come after them. */
export interface TermRequest extends StepRequest {
  instruction: string;
}

/** The fields of a request without its instruction, which is the same for all steps. */
export interface StepRequest {
  step: number;
  last_command: string | null;
  output: string | null;
  exit_code: number | null;
  cwd: string;
  /** True when the output was cut. This field and those below are extensions, each only where it holds. */
  truncated?: true;
  /** Size of the whole output in bytes, where it was cut. */
  output_bytes?: number;
  timed_out?: true;
  /** How the shell ended, when it was replaced by a new one. */
  shell_restarted?: "exited" | "killed";
  /** Why the last answer could not be used. The step is the same. */
  error?: string;
  /** True when the agent said that it is done and is asked to confirm it. */
  confirm_completion?: true;
}

export const termRequest = z.looseObject({
  instruction: z.string(),
  step: z.int().min(1),
  last_command: z.string().nullable(),
  output: z.string().nullable(),
  exit_code: z.int().nullable(),
  cwd: z.string(),
});

/** "Response Fields": every field has a default, and unknown ones are kept. */
export const termResponse = z.looseObject({
  command: z.string().nullable().optional(),
  task_complete: z.boolean().optional(),
  text: z.string().nullable().optional(),
});

/** One element of `commands`. */
const typed = z.looseObject({
  keystrokes: z.string(),
  duration: z.number().optional(),
});

/** "Legacy Format Support". */
export const legacyResponse = z.looseObject({
  analysis: z.string().optional(),
  plan: z.string().optional(),
  commands: z.array(typed),
  task_complete: z.boolean().optional(),
  is_task_complete: z.boolean().optional(),
});

/** One answer of an agent, as the loop needs it. */
export interface TermAnswer {
  action: TermAction;
  complete: boolean;
  thought?: string;
  plan?: string;
  /** Fields that are not known here; they are kept. */
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
