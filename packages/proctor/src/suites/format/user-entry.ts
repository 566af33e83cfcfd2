// `user` of a test as it is written: who the simulated user is, what it wants, and when it stops.
import { z } from "zod";
import type { LlmScript } from "../../core/llm-script.ts";
import { dispatch } from "../../runtime/yaml/findings.ts";
import { integerUpTo } from "../../runtime/yaml/scalars.ts";
import { llmScriptSchema } from "../llm-script.ts";

export const GOAL_REACHED = "goal_reached";
const DEFAULT_MAX_TURNS = 10;
const MAX_TURNS = 100;
const MAX_CHARS = 10_000;
const MAX_FACTS = 100;

const text = z.string().min(1).max(MAX_CHARS);
const fact = z
  .union([z.string().min(1).max(MAX_CHARS), z.number(), z.boolean()])
  .transform((value) => String(value));

const stop = z.strictObject({
  max_turns: integerUpTo(1, MAX_TURNS)
    .default(DEFAULT_MAX_TURNS)
    .describe(`Runs at most; ${DEFAULT_MAX_TURNS} when not said.`),
  when: text
    .default(GOAL_REACHED)
    .describe(
      "goal_reached: the user says when it has what it wants. Any other text: also when the agent says it.",
    ),
});

export const userSchema = z
  .strictObject({
    persona: text.optional().describe("Who the user is, and how it talks."),
    goal: text.describe("What the user wants. The agent never sees it in these words."),
    facts: z
      .record(z.string().min(1).max(200), fact)
      .refine((facts) => Object.keys(facts).length <= MAX_FACTS, `there are more than ${MAX_FACTS} facts`)
      .default({})
      .describe("What the user knows and may reveal, by name."),
    stop: stop.prefault({}).describe("When the conversation ends."),
    model: text.optional().describe("The model that plays the user; the judge's when not said."),
    script: dispatch<string | LlmScript>((value) => (typeof value === "string" ? text : llmScriptSchema), {
      forms: () => [text, llmScriptSchema],
    })
      .optional()
      .describe("Plays the user without a model: the file of a mock model's script, or its content."),
  })
  .refine(({ model, script }) => model === undefined || script === undefined, {
    message: `"model" and "script" both play the user; use one`,
    path: ["script"],
    params: { at: "key" },
  });
