// The suite file as it is written. What the format knows and this version does not do is refused, never ignored.
import { z } from "zod";
import { MAX_DESCRIPTION_CHARS, MAX_STEPS, MAX_TIMEOUT_SECONDS, MAX_TOKENS } from "../core/task.ts";
import type { JsonObject } from "../core/json.ts";
import type { ToolSet } from "../core/tools.ts";
import { isJsonObject } from "../core/json.ts";
import { agentEntry } from "./agent-entry.ts";
import { checkEntry } from "./check-entry.ts";
import { dispatch, refused } from "./findings.ts";
import { amount, integerUpTo } from "./scalars.ts";
import { toolSetSchema } from "./tool-set.ts";

const notYet = (key: string, instead?: string): ReturnType<typeof refused> =>
  refused(
    `"${key}" is not supported by this version`,
    instead ?? "remove it; nothing in a suite is silently ignored",
  );

const text = z.string().min(1);
const timeout = integerUpTo(1, MAX_TIMEOUT_SECONDS);
/** Neither absolute nor with a part that is `..`: such a pattern would match nothing. */
const INSIDE = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/s;

/** Null stands for "not said here": the default of the suite applies. */
const constraints = z.strictObject({
  max_steps: integerUpTo(1, MAX_STEPS).nullish(),
  max_tokens: integerUpTo(1, MAX_TOKENS).nullish(),
  timeout_seconds: timeout.nullish(),
  allowed_tools: z.array(text).nullish(),
  budget_usd: amount.nullish(),
});

const json: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, {
  message: `"input_data" must be a mapping (key: value)`,
});

const expectedArtifact = z.union([
  text.transform((name) => ({ name })),
  z.strictObject({
    type: z.enum(["file", "structured"]).exactOptional(),
    format: text.exactOptional(),
    name: text.exactOptional(),
  }),
]);

const task = z.strictObject({
  description: text.max(MAX_DESCRIPTION_CHARS),
  input_data: json.optional(),
  expected_artifacts: z.array(expectedArtifact).optional(),
  workspace_fixture: text.nullish(),
  collect: z
    .array(text.regex(INSIDE, "a pattern is relative to the workspace, and does not lead out of it"))
    .optional(),
});

/** Names of variables, and what an agent is given under them. */
const environment = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable's name has letters, digits and _"),
  z.string(),
);

/** What a run may ask of the platform; a test's own word goes before the default. */
const surroundings = {
  environment: environment.optional(),
  secrets: environment.optional(),
  // In a file of its own, or right here.
  tools: dispatch<string | ToolSet>((value) => (typeof value === "string" ? text : toolSetSchema)).optional(),
  strict: z.boolean().optional(),
  canary: z.boolean().optional(),
};

const test = z
  .strictObject({
    id: text.max(200),
    name: text,
    description: z.string().nullish(),
    tags: z.array(text.regex(/^[^!,\s][^,]*$/, "a tag has no comma and does not start with !")).default([]),
    task,
    constraints: constraints.default({}),
    agents: z.array(text).min(1).optional(),
    assertions: z.array(checkEntry).optional(),
    checks: z.array(checkEntry).optional(),
    ...surroundings,
    scoring: notYet("scoring"),
    mode: notYet("mode", "a test that names several agents runs once on each of them"),
    comparison_config: notYet("comparison_config"),
    collaboration_config: notYet("collaboration_config"),
    handoff_config: notYet("handoff_config"),
  })
  .refine((entry) => entry.assertions === undefined || entry.checks === undefined, {
    message: `"assertions" and "checks" are two names for the same; use one`,
    path: ["checks"],
    params: { at: "key" },
  });

export const suiteSchema = z.strictObject({
  test_suite: text,
  // Without quotes YAML reads 1.0 as the number 1.
  version: z.preprocess((value) => (value === 1 ? "1.0" : value), z.literal("1.0")).default("1.0"),
  description: z.string().nullish(),
  defaults: z
    .strictObject({
      runs_per_test: integerUpTo(1, 10_000).default(1),
      timeout_seconds: timeout.nullish(),
      constraints: constraints.default({}),
      ...surroundings,
      scoring: notYet("scoring"),
    })
    .prefault({}),
  agents: z.array(agentEntry).default([]),
  tests: z.array(test).min(1),
});

export type SuiteFile = z.output<typeof suiteSchema>;
export type TestFile = SuiteFile["tests"][number];
export type ConstraintsFile = z.output<typeof constraints>;
