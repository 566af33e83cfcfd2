// `turns` of a test as it is written: a list of steps, each of which says, expects, answers or declines.
import { z } from "zod";
import { MAX_DESCRIPTION_CHARS } from "../../core/task.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { checkEntry } from "./check-entry.ts";
import type { CheckEntry } from "../suite.ts";

const MAX_STEPS = 1000;
const STEPS = ["say", "expect", "answer", "decline"] as const;

const expected = z
  .array(checkEntry)
  .min(1)
  .transform((entries, context): CheckEntry[] =>
    entries.flatMap((entry, index) => {
      if ("evaluate" in entry) return [entry];
      const message = `"${entry.type}" judges all runs together, not one turn`;
      const params = { at: "value", hint: `put it under "checks" of the test` };
      context.addIssue({ code: "custom", path: [index, "type"], message, params });
      return [];
    }),
  );

const answer = json.refine(
  (value) => value !== null && (typeof value === "string" ? value !== "" : typeof value === "object"),
  { message: `"answer" must be text, or a mapping (key: value)` },
);

const step = z
  .strictObject({
    say: z
      .string()
      .min(1)
      .max(MAX_DESCRIPTION_CHARS)
      .optional()
      .describe("Begins a turn: what the user says."),
    expect: expected.optional().describe("Checks on this turn."),
    answer: answer
      .optional()
      .describe("The answer to the next question of this turn: text, {option: …}, or data."),
    decline: z.literal(true).optional().describe("Declines the next question of this turn."),
  })
  .superRefine((value, context) => {
    const given = STEPS.filter((key) => value[key] !== undefined);
    if (given.length === 1 || context.issues.length > 0) return;
    const message =
      given.length === 0
        ? "a step says, expects, answers or declines something"
        : `a step does one thing, and this one has ${given.map((key) => `"${key}"`).join(" and ")}`;
    const hint = given.length === 0 ? "write - say: …" : "begin each with - of its own";
    context.addIssue({ code: "custom", message, params: { hint } });
  });

export const turnsSchema = z.array(step).min(1).max(MAX_STEPS);
