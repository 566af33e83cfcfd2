// The messages of document 002 as it prints them, to hold the corpus to.
import { z } from "zod";
import type { StepRequest } from "../../../src/protocols/term/wire.ts";

export interface TermRequest extends StepRequest {
  instruction: string;
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
